import BackendKit

extension BackendConfiguration {
  /// The backend that a word like `grails:http://127.0.0.1:8080` specifies by plugin and address, or nil for other
  /// words. Its name is the word.
  ///
  /// `demo:grails` alone is the demo of the plugin of that name. An invalid address, for example `grails:http://`,
  /// gives a backend that is refused at its first use.
  public static func adHoc(_ text: String) -> BackendConfiguration? {
    if text.hasPrefix(BackendAddress.demo), BackendAddress.problem(of: text) == nil {
      return BackendConfiguration(name: text, plugin: String(text.dropFirst(5)), url: text)
    }
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let plugin = String(text[..<colon])
    let address = String(text[text.index(after: colon)...])
    guard PluginName.isValid(plugin), BackendAddress.looksLikeOne(address) else { return nil }
    var backend = BackendConfiguration(name: text, plugin: plugin, url: address)
    if let problem = BackendAddress.problem(of: address) {
      backend.refusal = ConfigurationError(
        backend.place(), problem, hint: "write it as \(plugin):http://HOST:PORT or \(plugin):unix:///PATH")
    }
    return backend
  }

  /// A backend's name in a form that a resource can follow: with the address of a socket, whose path would continue,
  /// the form that ends it.
  package static func place(of backend: String) -> String {
    let name = backend.hasSuffix("/") ? String(backend.dropLast()) : backend
    guard let colon = name.firstIndex(of: ":"), let address = try? WebAddress(String(name[colon...].dropFirst())),
      address.origin.socket != nil
    else { return name }
    return "\(name[...colon])\(address)"
  }

  /// Returns a command's name for a resource of the service at an address; nil if the text is not such an address.
  package static func resource(at address: String) -> String? {
    let backend = "rest:\(address)"
    guard !address.hasPrefix(BackendAddress.demo), let found = adHoc(backend), found.refusal == nil else { return nil }
    return adHocReadings(backend).isEmpty ? "\(place(of: backend))/RESOURCE" : backend
  }

  /// The ways to split a word into a backend's address and a resource. A slash at the end makes all of it the address.
  package static func adHocReadings(_ text: String) -> [(backend: String, path: [String])] {
    let start = text.firstRange(ofText: "://")?.upperBound ?? text.firstRange(ofText: BackendAddress.demo)?.upperBound
    // All of the path belongs to the socket.
    guard let start, !text.hasSuffix("/"), !text[..<start].hasSuffix(":unix://") else { return [] }
    let parts = text[start...].parts(between: UInt8(ascii: "/"))
    // RESOURCE, or RESOURCE/ID/RESOURCE.
    return [1, 3].filter { $0 < parts.count }.map { count in
      (text[..<start] + parts.dropLast(count).joined(separator: "/"), Array(parts.suffix(count)))
    }
  }
}
