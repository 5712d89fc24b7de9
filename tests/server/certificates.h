/// An authority of a test's own and the certificates that it signs.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

namespace cuzk::test {

/// P-256 keys, valid from an hour ago for `days`. Everything is freed at the end of the process: it is a test.
class Authority {
 public:
  explicit Authority(const std::string& name) : key_(EVP_EC_gen("P-256")), certificate_(make(name, key_, 365)) {
    add_extension(certificate_, NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(certificate_, key_, EVP_sha256());
  }

  void write(const std::filesystem::path& file) const { write_certificate(file, certificate_); }

  /// Signs a certificate for 127.0.0.1 and localhost and writes it and its key.
  void issue(const std::string& name, const std::filesystem::path& certificate, const std::filesystem::path& key,
             int days = 90) const {
    EVP_PKEY* own = EVP_EC_gen("P-256");
    X509* issued = make(name, own, days);
    X509_set_issuer_name(issued, X509_get_subject_name(certificate_));
    add_extension(issued, NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost");
    X509_sign(issued, key_, EVP_sha256());
    write_certificate(certificate, issued);
    FILE* file = std::fopen(key.c_str(), "w");
    PEM_write_PrivateKey(file, own, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
  }

 private:
  static X509* make(const std::string& name, EVP_PKEY* key, int days) {
    static long serial = 1;
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86'400L * days);
    X509_NAME* subject = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(certificate, subject);
    X509_set_pubkey(certificate, key);
    return certificate;
  }

  static void add_extension(X509* certificate, int id, const char* value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }

  static void write_certificate(const std::filesystem::path& path, X509* certificate) {
    FILE* file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
  }

  EVP_PKEY* key_;
  X509* certificate_;
};

}  // namespace cuzk::test
