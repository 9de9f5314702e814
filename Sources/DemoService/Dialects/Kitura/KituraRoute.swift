enum KituraRoute {
  case root
  case health
  /// One todo, by a text that may or may not be a number.
  case item(String)
  case nothing

  /// The methods that the server's parser accepts.
  static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

  init(_ request: DemoRequest) {
    if request.path.hasPrefix("//") {
      // The newer server takes the text after a doubled slash for a host, so that no path is left.
      self = request.settings["kitura.profile"] == "3.0" ? .root : .nothing
      return
    }
    var path = request.path.dropFirst()
    if path.hasSuffix("/") { path = path.dropLast() }
    guard !path.contains("/"), path != "." else {
      self = .nothing
      return
    }
    switch path {
    case "": self = .root
    case "health": self = .health
    default: self = PercentEncoding.decoded(path).map { .item($0) } ?? .nothing
    }
  }
}
