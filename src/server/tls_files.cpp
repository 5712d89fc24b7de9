#include "server/tls_files.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/error.h"
#include "base/whole_file.h"

namespace cuzk::server {

namespace {

template <auto free>
struct Free {
  template <class T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using RevokedList = std::unique_ptr<X509_CRL, Free<X509_CRL_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;

Bio open_bio(const Buffer<u8>& bytes) {
  return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20))));
}

Certificate read_certificate(const std::filesystem::path& path) {
  const auto file = read_whole_file(path);
  Certificate certificate(PEM_read_bio_X509(open_bio(file).get(), nullptr, nullptr, nullptr));
  if (certificate == nullptr) throw invalid_input("{}: there is no certificate in PEM in it", path.string());
  return certificate;
}

/// A key with a passphrase is none: nobody is there to type it.
PrivateKey read_key(const std::filesystem::path& path) {
  const auto file = read_whole_file(path);
  const auto no_passphrase = [](char*, int, int, void*) { return 0; };
  PrivateKey key(PEM_read_bio_PrivateKey(open_bio(file).get(), nullptr, no_passphrase, nullptr));
  if (key == nullptr)
    throw invalid_input("{}: there is no private key in PEM without a passphrase in it", path.string());
  return key;
}

/// Whether OpenSSL would look for a list by this name: "9d66eef0.r0".
bool is_list_name(const std::string& name) {
  constexpr std::size_t kHash = 8;
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0; };
  return name.size() > kHash + 2 && name.compare(kHash, 2, ".r") == 0 &&
         std::all_of(name.begin(), name.begin() + kHash, is_hex) &&
         std::all_of(name.begin() + kHash + 2, name.end(), is_digit);
}

void check_list(const std::filesystem::path& path) {
  const auto file = read_whole_file(path);
  const RevokedList list(PEM_read_bio_X509_CRL(open_bio(file).get(), nullptr, nullptr, nullptr));
  if (list == nullptr) throw invalid_input("{}: there is no list of revoked certificates in PEM in it", path.string());
  const ASN1_TIME* next = X509_CRL_get0_nextUpdate(list.get());
  if (next != nullptr && X509_cmp_current_time(next) < 0)
    throw invalid_input("{}: the time of this list of revoked certificates is up: ask its authority for a new one",
                        path.string());
}

std::string to_text(const Bio& bio) {
  char* text = nullptr;
  const auto length = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

void check_tls_files(const TlsFiles& files) {
  if (files.certificate.empty() != files.key.empty()) {
    throw invalid_input("tls.certificate and tls.key: one is of no use without the other");
  }
  if (files.certificate.empty() && !files.client_ca.empty()) {
    throw invalid_input("tls.client_ca: of no use without tls.certificate and tls.key");
  }
  if (files.certificate.empty() && !files.token_file.empty()) {
    throw invalid_input("tls.token_file: of no use without tls.certificate and tls.key: a token would be readable");
  }
  if (files.client_ca.empty() && !files.client_crls.empty()) {
    throw invalid_input("tls.client_crls: of no use without tls.client_ca");
  }
  if (files.certificate.empty()) return;
  const auto certificate = read_certificate(files.certificate);
  const auto key = read_key(files.key);
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    throw invalid_input("{}: is not the key of the certificate {}", files.key.string(), files.certificate.string());
  }
  if (!files.client_ca.empty()) read_certificate(files.client_ca);
  if (!files.client_crls.empty()) describe_revoked(files.client_crls);
}

std::string describe_revoked(const std::filesystem::path& folder) {
  std::error_code error;
  int lists = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!is_list_name(entry.path().filename().string())) continue;
    check_list(entry.path());
    ++lists;
  }
  if (error) throw invalid_input("tls.client_crls: {}: {}", folder.string(), error.message());
  if (lists == 0) {
    throw invalid_input("tls.client_crls: {} has no list by a name such as 9d66eef0.r0; openssl rehash {} makes them",
                        folder.string(), folder.string());
  }
  return fmt::format("{} lists in {}", lists, folder.string());
}

std::string describe_certificate(const std::filesystem::path& file) {
  const auto certificate = read_certificate(file);
  const Bio text(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate.get()), 0, XN_FLAG_ONELINE);
  BIO_puts(text.get(), ", until ");
  ASN1_TIME_print(text.get(), X509_get0_notAfter(certificate.get()));
  return to_text(text);
}

int days_left(const std::filesystem::path& file) {
  int days = 0, seconds = 0;
  ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(read_certificate(file).get()));
  return days;
}

}  // namespace cuzk::server
