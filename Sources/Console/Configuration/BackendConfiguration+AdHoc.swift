extension BackendConfiguration {
  /// The backend that a word like `grails:http://127.0.0.1:8080` gives by plugin and address, or nil where the word is
  /// nothing of that kind. Its name is the word.
  ///
  /// An address that cannot be one, for example `grails:http://`, gives a backend that is refused at its first use.
  public static func adHoc(_ text: String) -> BackendConfiguration? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let plugin = String(text[..<colon])
    let address = String(text[text.index(after: colon)...])
    guard PluginName.isValid(plugin), WebAddress.looksLikeOne(address) else { return nil }
    var backend = BackendConfiguration(name: text, plugin: plugin, url: address)
    if let problem = WebAddress.problem(of: address) {
      backend.refusal = ConfigurationError(backend.place(), problem, hint: "write it as \(plugin):http://HOST:PORT")
    }
    return backend
  }
}
