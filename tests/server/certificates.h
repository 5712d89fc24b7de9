/// An authority of a test's own and the certificates that it signs.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

namespace cuzk::test {

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

/// P-256 keys, valid from an hour ago for `days`.
class Authority {
 public:
  explicit Authority(const std::string& name) : key_(EVP_EC_gen("P-256")), certificate_(make(name, key_, 365)) {
    add_extension(certificate_, NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(certificate_.get(), key_.get(), EVP_sha256());
  }

  void write(const std::filesystem::path& file) const { write_certificate(file, certificate_); }

  /// Signs a certificate for 127.0.0.1 and localhost and writes it and its key.
  void issue(const std::string& name, const std::filesystem::path& certificate, const std::filesystem::path& key,
             int days = 90) const {
    const Key own(EVP_EC_gen("P-256"));
    const Certificate issued = make(name, own, days);
    X509_set_issuer_name(issued.get(), X509_get_subject_name(certificate_.get()));
    add_extension(issued, NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost");
    X509_sign(issued.get(), key_.get(), EVP_sha256());
    write_certificate(certificate, issued);
    const File file(std::fopen(key.c_str(), "w"));
    PEM_write_PrivateKey(file.get(), own.get(), nullptr, nullptr, 0, nullptr, nullptr);
  }

 private:
  using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
  using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
  using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
  using File = std::unique_ptr<FILE, FreeWith<std::fclose>>;

  static Certificate make(const std::string& name, const Key& key, int days) {
    static long serial = 1;
    Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial++);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86'400L * days);
    X509_NAME* const subject = X509_get_subject_name(certificate.get());  // the certificate's
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    X509_set_pubkey(certificate.get(), key.get());
    return certificate;
  }

  static void add_extension(const Certificate& certificate, int id, const char* value) {
    const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, id, value));
    X509_add_ext(certificate.get(), extension.get(), -1);
  }

  static void write_certificate(const std::filesystem::path& path, const Certificate& certificate) {
    const File file(std::fopen(path.c_str(), "w"));
    PEM_write_X509(file.get(), certificate.get());
  }

  Key key_;
  Certificate certificate_;
};

}  // namespace cuzk::test
