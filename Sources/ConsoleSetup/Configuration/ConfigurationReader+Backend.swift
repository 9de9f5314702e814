import BackendKit
import BackendTransport
import ConsoleSystem
import Files

extension ConfigurationReader {
  private static let keys = [
    "plugin", "url", "description", "override", "options", "headers", "login", "credentials", "resource", "label",
    "readOnly", "runHeader",
    "secrets", "tls", "timeouts", "requestsPerSecond", "maxConcurrent", "http2",
    "maxChanges", "journal",
  ]

  /// Reads a backend.
  func backend(_ member: LocatedValue.Member) throws(ConfigurationError) -> BackendConfiguration {
    let path = ["backends", member.name]
    guard BackendName.isValid(member.name) else {
      throw ConfigurationError(
        place(member.place, path), "this is not a valid backend name",
        hint: "a name consists of lowercase letters, digits and hyphens, and begins with a letter")
    }
    let members = try members(member.value, path, known: Self.keys)
    func required(_ key: String) throws(ConfigurationError) -> LocatedValue {
      guard let value = member.value[key] else {
        let example = key == "plugin" ? "grails" : "http://127.0.0.1:8080"
        throw ConfigurationError(
          place(member.place, path), "\"\(key)\" is missing", hint: "for example \"\(key)\": \"\(example)\"")
      }
      return value
    }
    let plugin = try self.plugin(try required("plugin"), path + ["plugin"])
    let url = try address(try required("url"), path + ["url"])
    var backend = BackendConfiguration(name: member.name, plugin: plugin, url: url)
    backend.file = file.shown
    backend.folder = file.folder
    backend.environment = environment
    backend.isTrusted = isTrusted
    backend.places[""] = member.place
    for member in members { try read(member, path + [member.name], into: &backend) }
    return backend
  }

  private func read(
    _ member: LocatedValue.Member, _ path: [String], into backend: inout BackendConfiguration
  ) throws(ConfigurationError) {
    let value = member.value
    backend.places[member.name] = member.place
    for inner in value.members ?? [] { backend.places[member.name + "." + inner.name] = inner.place }
    switch member.name {
    case "resource":
      let text = try text(value, path)
      guard ResourcePath(text) != nil else {
        throw error(value, path, "this is not a valid resource", hint: "write RESOURCE or RESOURCE/ID/RESOURCE")
      }
      backend.resource = text
    case "label": backend.label = try label(value, path)
    case "readOnly": backend.isReadOnly = try bool(value, path, hint: "true forbids writes")
    case "options":
      _ = try members(value, path)
      backend.options = value.value.object ?? Object()
    case "description": backend.description = try description(value, path)
    case "override":
      _ = try members(value, path)
      backend.override = value
    case "headers": backend.headers = try headers(value, path)
    case "login": backend.login = try login(value, path)
    case "credentials": backend.credentials = try credentials(value, path)
    case "runHeader":
      let name = try text(value, path)
      guard Self.isFieldName(name) else {
        throw error(
          value, path, "this is not a valid header name",
          hint: "use letters, digits and hyphens, for example X-Request-Id")
      }
      if let reason = Self.reason(againstField: name) {
        throw error(
          value, path, "\(name) cannot be configured: \(reason)", hint: "name another one, for example X-Request-Id")
      }
      backend.runHeader = name
    case "secrets":
      guard let names = value.value.array?.compactMap(\.text), names.count == value.value.array?.count,
        !names.contains("")
      else { throw error(value, path, "expected a list of names", hint: "for example [\"taxNumber\"]") }
      backend.secretNames = names
    case "tls": backend.tls = try tls(value, path)
    case "timeouts": backend.timeouts = try timeouts(value, path)
    case "requestsPerSecond":
      guard case .number(let number) = value.value, (0.001...10_000).contains(number.double) else {
        throw error(value, path, "expected a number from 0.001 to 10000", hint: "for example 5")
      }
      backend.requestsPerSecond = number.double
    case "maxConcurrent":
      guard let count = value.value.integer, (1...ConsoleSetting.mostJobs).contains(count) else {
        throw error(value, path, "expected a whole number from 1 to \(ConsoleSetting.mostJobs)", hint: "for example 2")
      }
      backend.maxConcurrent = count
    case "http2": backend.usesHTTP2 = try bool(value, path, hint: "true asks an https server for HTTP/2")
    case "maxChanges":
      guard let count = value.value.integer, (0...ConsoleSetting.mostCounted).contains(count) else {
        throw error(
          value, path, "expected a whole number from 0 to \(ConsoleSetting.mostCounted)", hint: "for example 100")
      }
      backend.maxChanges = count
    case "journal": backend.journal = try journal(value, path)
    default: break
    }
    if !isTrusted, backend.refusal == nil { backend.refusal = refusal(member, path) }
    if backend.refusal == nil { backend.refusal = refusal(ofHelperIn: member, path) }
  }

  private func bool(_ value: LocatedValue, _ path: [String], hint: String) throws(ConfigurationError) -> Bool {
    guard case .bool(let isTrue) = value.value else { throw error(value, path, "expected true or false", hint: hint) }
    return isTrue
  }

  /// Returns the file of a description. An untrusted configuration may only name files of its own folder.
  private func description(
    _ value: LocatedValue, _ path: [String]
  ) throws(ConfigurationError) -> BackendConfiguration.File {
    let name = try text(value, path)
    let file = UserFolders(environment: environment).absolute(name, below: file.folder)
    let isBelow = Path.real(file).hasPrefix(self.file.folder + "/") && !name.split(separator: "/").contains("..")
    guard isTrusted || isBelow else {
      throw error(value, path, "this file is not in the folder of \(self.file.shown), which is not trusted", hint: nil)
    }
    return BackendConfiguration.File(shown: name, path: file)
  }

  private func label(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> String {
    let text = try text(value, path)
    guard (1...24).contains(text.count), text.allSatisfy({ $0.isLetter || $0.isNumber || "-_ ".contains($0) }) else {
      throw error(
        value, path, "a label has 1 to 24 letters, digits, hyphens, underscores and spaces",
        hint: "for example \"production\"")
    }
    return text
  }

  /// Returns the reason why a key may not be used before the file is trusted, or nil if it may.
  private func refusal(_ member: LocatedValue.Member, _ path: [String]) -> ConfigurationError? {
    let place = place(member.place, path)
    switch member.name {
    // The system tells the server who connects, and it may let this user do what others may not.
    case "url" where (member.value.value.text.flatMap { try? WebAddress($0) })?.origin.socket != nil:
      return .untrusted(place, "a local socket")
    case "credentials": return .untrusted(place, "a use of credentials")
    case "login": return .untrusted(place, "a login")
    case "runHeader": return .untrusted(place, "an extra header")
    case "journal": return .untrusted(place, "a journal setting")
    case "headers" where member.value.members?.isEmpty == false: return .untrusted(place, "an extra header")
    case "tls":
      // Another authority lets somebody else in the middle as surely as none does.
      let strict = ["insecure"]
      let isStrict = member.value.members?.allSatisfy { strict.contains($0.name) && $0.value.value == false }
      return isStrict == true ? nil : .untrusted(place, "a different TLS setting")
    default: return nil
    }
  }

  private func plugin(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> String {
    let name = try text(value, path)
    guard PluginName.isValid(name) else {
      throw error(
        value, path, "this is not a valid plugin name",
        hint: "a name consists of lowercase letters, digits and hyphens, and is not a path")
    }
    return name
  }

  private func address(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> String {
    let text = try text(value, path)
    if let problem = BackendAddress.problem(of: text) {
      throw error(value, path, problem, hint: "for example http://127.0.0.1:8080")
    }
    return text
  }

  private func headers(
    _ value: LocatedValue, _ path: [String]
  ) throws(ConfigurationError) -> [(name: String, value: Secret)] {
    var fields: [(name: String, value: Secret)] = []
    for member in try members(value, path) {
      guard Self.isFieldName(member.name) else {
        throw ConfigurationError(
          place(member.place, path + [member.name]), "this is not a valid header name",
          hint: "use letters, digits and hyphens, for example X-Team")
      }
      if let reason = Self.reason(againstField: member.name) {
        throw ConfigurationError(
          place(member.place, path + [member.name]), "\(member.name) cannot be configured: \(reason)",
          hint: "leave it out")
      }
      fields.append((member.name, try secret(member.value, path + [member.name], literal: true)))
    }
    return fields
  }

  private func tls(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> TLSSettings {
    var tls = TLSSettings()
    let folders = UserFolders(environment: environment)
    for member in try members(value, path, known: ["ca", "cert", "key", "insecure", "pin"]) {
      let path = path + [member.name]
      if member.name == "insecure" {
        guard let flag = member.value.value.bool else { throw wrongKind(member.value, path, "true or false") }
        tls.insecure = flag
        continue
      }
      if member.name == "pin" {
        tls.pins = try pins(member.value, path)
        continue
      }
      let named = folders.absolute(try text(member.value, path), below: file.folder)
      switch member.name {
      case "ca": tls.ca = named
      case "cert": tls.cert = named
      default: tls.key = named
      }
    }
    if (tls.cert == nil) != (tls.key == nil) {
      throw error(value, path, "\"cert\" and \"key\" must be given together", hint: "name both or neither")
    }
    if tls.insecure, !tls.pins.isEmpty {
      throw error(value, path, "\"insecure\" and \"pin\" cannot be combined", hint: "leave \"insecure\" out")
    }
    return tls
  }

  /// One digest of a key, or a list of them.
  private func pins(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> Set<String> {
    let texts = value.value.text.map { [$0] } ?? value.value.array?.compactMap(\.text) ?? []
    let pins = texts.compactMap(KeyPin.digest)
    guard !texts.isEmpty, pins.count == texts.count, value.value.array.map({ $0.count == texts.count }) ?? true else {
      throw error(
        value, path, "expected the SHA-256 digest of a public key, or a list of them",
        hint: "32 bytes as hexadecimal digits or base64")
    }
    return Set(pins)
  }

  private func timeouts(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError)
    -> TransportSettings.Timeouts
  {
    var timeouts = TransportSettings.Timeouts()
    for member in try members(value, path, known: ["connect", "firstByte", "total"]) {
      guard case .scalar(.number(let number)) = member.value.content, (0.001...86_400).contains(number.double) else {
        throw error(
          member.value, path + [member.name], "expected a number of seconds from 0.001 to 86400", hint: nil)
      }
      switch member.name {
      case "connect": timeouts.connect = .seconds(number.double)
      case "firstByte": timeouts.firstByte = .seconds(number.double)
      default: timeouts.total = .seconds(number.double)
      }
    }
    return timeouts
  }

  /// Returns the reason why a header field cannot be set by a configuration; nil if it can.
  private static func reason(againstField name: String) -> String? {
    switch name.lowercased() {
    case "host", "content-length", "transfer-encoding", "connection":
      "it is derived from the address and body of a request"
    case "content-type": "it is derived from what the plugin sends"
    default: nil
    }
  }

  private static func isFieldName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
      }
  }
}
