import BackendKit
import CCurl

/// The system's libcurl, opened with the first request.
enum Library {
  private static let fault: String? = cc_load().map { String(cString: $0) }

  /// Opens it; throws `misconfigured` with what to install.
  static func open() throws(BackendError) {
    guard let fault else { return }
    throw .misconfigured(
      "cannot send requests: \(fault)", hint: "install libcurl 7.80 or later with OpenSSL: apt-get install libcurl4")
  }

  /// The version of the library and of its TLS: `libcurl 7.88.1, OpenSSL/3.0.17`; nil if it cannot be used.
  static var description: String? {
    fault == nil ? "libcurl \(String(cString: cc_version())), \(String(cString: cc_tls()))" : nil
  }

  /// The supported encodings of bodies.
  static let encodings: String = {
    let more: [(cc_packing, String)] = [(CC_BROTLI, "br"), (CC_ZSTD, "zstd")]
    return (["gzip"] + more.filter { cc_unpacks($0.0) }.map(\.1)).joined(separator: ", ")
  }()
}
