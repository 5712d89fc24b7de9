/// A listening socket that another process made and gave to this one.
#pragma once

#include <string>

namespace cuzk::server {

class InheritedSocket {
 public:
  /// Takes the descriptor over: it is closed with this object, and processes that this one starts do not get it. Throws
  /// Error{invalid_input} saying what it is where it is no socket that listens on a unix or TCP address.
  explicit InheritedSocket(int descriptor);
  ~InheritedSocket();
  InheritedSocket(const InheritedSocket&) = delete;
  InheritedSocket& operator=(const InheritedSocket&) = delete;

  int descriptor() const { return descriptor_; }

  /// "unix:///path" or "host:port", as daemon.listen has it; "unix://@name" for a name that is no file.
  const std::string& address() const { return address_; }

 private:
  const int descriptor_;
  const std::string address_;
};

}  // namespace cuzk::server
