/// An object of a written scheme.
struct LoginReader {
  let object: Object
  let path: [String]

  init(_ value: Value, _ path: [String]) throws(LoginScheme.Mistake) {
    guard let object = value.object else {
      throw LoginScheme.Mistake(path: path, message: "expected an object, not \(value.kindWithArticle)")
    }
    self.object = object
    self.path = path
  }

  func mistake(_ message: String, at name: String? = nil, hint: String?) -> LoginScheme.Mistake {
    LoginScheme.Mistake(path: path + (name.map { [$0] } ?? []), message: message, hint: hint)
  }

  func allow(_ names: [String]) throws(LoginScheme.Mistake) {
    for name in object.names where !names.contains(name) {
      throw LoginScheme.Mistake(path: path + [name], message: "unknown key", known: names)
    }
  }

  func object(_ name: String) throws(LoginScheme.Mistake) -> LoginReader? {
    guard let value = object[name] else { return nil }
    return try LoginReader(value, path + [name])
  }

  func text(_ name: String, mayBeEmpty: Bool = false) throws(LoginScheme.Mistake) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.text else {
      throw mistake("expected text, not \(value.kindWithArticle)", at: name, hint: nil)
    }
    guard mayBeEmpty || !text.isEmpty else {
      throw mistake("this text is empty", at: name, hint: "write one, or leave the key out")
    }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw mistake("this text has control characters", at: name, hint: nil)
    }
    return text
  }

  func choice(_ name: String, _ words: [String]) throws(LoginScheme.Mistake) -> String {
    guard let text = try text(name) else {
      throw mistake("\"\(name)\" is missing", hint: "one of \(words.joined(separator: ", "))")
    }
    guard words.contains(text) else {
      throw mistake(
        "\"\(text)\" is not one of the choices", at: name, hint: "choices: \(words.joined(separator: ", "))")
    }
    return text
  }

  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, or other: Word
  ) throws(LoginScheme.Mistake) -> Word {
    Word(rawValue: try choice(name, Word.allCases.map(\.rawValue))) ?? other
  }

  func texts(_ name: String) throws(LoginScheme.Mistake) -> [String] {
    guard let value = object[name] else { return [] }
    guard let texts = value.array?.compactMap(\.text), texts.count == value.array?.count, !texts.contains("") else {
      throw mistake("expected a list of strings", at: name, hint: nil)
    }
    return texts
  }

  /// Parameters of a request, or fields of its form.
  func pairs(_ name: String) throws(LoginScheme.Mistake) -> [String: String] {
    guard let inner = try object(name) else { return [:] }
    try inner.checkNames()
    var pairs: [String: String] = [:]
    for name in inner.object.names { pairs[name] = try inner.text(name, mayBeEmpty: true) }
    return pairs
  }

  /// Refuses parameters and fields of a body that would override the method of the request.
  private func checkNames() throws(LoginScheme.Mistake) {
    for name in object.names {
      guard let problem = ReservedName.problem(ofParameter: name) else { continue }
      throw mistake("\(name) cannot be set: \(problem)", at: name, hint: "leave it out")
    }
  }

  /// A request by one of these methods; the first is the default.
  func call(_ methods: [String]) throws(LoginScheme.Mistake) -> LoginScheme.Call {
    guard let text = try text("path") else {
      throw mistake("\"path\" is missing", hint: "a path below the backend's address, for example \"session\"")
    }
    let suffix = text.hasSuffix("/") ? "/" : ""
    let segments = text.dropLast(suffix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let path = try? RequestPath(segments: segments).ending(in: suffix), !text.contains("?"), !text.contains("#")
    else {
      throw mistake(
        "this is not a path below the backend's address", at: "path",
        hint: "names with slashes between them, for example \"session\"")
    }
    let method = object["method"] == nil ? methods.first ?? "GET" : try choice("method", methods)
    return LoginScheme.Call(method, path, query: try pairs("query"), body: try body())
  }

  private func body() throws(LoginScheme.Mistake) -> LoginScheme.Body? {
    let (form, json) = (try object("form"), try object("json"))
    if form != nil, json != nil {
      throw mistake("\"form\" and \"json\" cannot be combined", at: "json", hint: "leave one of them out")
    }
    for part in [form, json] {
      try part?.checkNames()
      try part?.checkPlaceholders()
    }
    if let form {
      for (name, value) in form.object.members where value.object != nil || value.array != nil {
        throw form.mistake("a form field must be text", at: name, hint: "use \"json\" for other values")
      }
      return .form(form.object)
    }
    return json.map { .json($0.object) }
  }

  private func checkPlaceholders() throws(LoginScheme.Mistake) {
    for (name, value) in object.members {
      if value.object != nil { try object(name)?.checkPlaceholders() }
      guard let text = value.text, text.hasPrefix("$"), !LoginScheme.Body.placeholders.contains(text) else { continue }
      throw mistake(
        "unknown placeholder \"\(text)\"", at: name,
        hint: "known placeholders: \(LoginScheme.Body.placeholders.joined(separator: ", "))")
    }
  }

  /// The place of a key or token; nil if none is given.
  func place() throws(LoginScheme.Mistake) -> LoginScheme.Place? {
    let (header, query, prefix) = (try header(), try text("query"), try text("prefix", mayBeEmpty: true))
    let given = ["header", "query", "cookie"].filter { object[$0] != nil }
    guard given.count < 2 else {
      throw mistake(
        "\"\(given[0])\" and \"\(given[1])\" cannot be combined", at: given[1], hint: "leave one of them out")
    }
    if let header { return .header(header, prefix: prefix ?? "") }
    if let cookie = try text("cookie") {
      guard Self.isName(cookie) else { throw mistake("this is not a valid cookie name", at: "cookie", hint: nil) }
      guard prefix == nil else { throw mistake("a cookie takes no prefix", at: "prefix", hint: "leave it out") }
      return .cookie(cookie)
    }
    guard let query else { return nil }
    guard ReservedName.problem(ofParameter: query) == nil else {
      throw mistake("\(query) cannot carry a key", at: "query", hint: "for example api_key")
    }
    guard prefix == nil else {
      throw mistake("a query parameter takes no prefix", at: "prefix", hint: "leave it out")
    }
    return .query(query)
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  /// The header field that carries a key or token; nil if none is given.
  func header() throws(LoginScheme.Mistake) -> String? {
    guard let header = try text("header") else { return nil }
    guard Self.isName(header) else {
      throw mistake("this is not a valid header name", at: "header", hint: "for example X-Api-Key")
    }
    guard ReservedName.problem(ofKeyHeader: header) == nil, header.lowercased() != "content-type" else {
      throw mistake("\(header) cannot carry a key", at: "header", hint: "for example X-Api-Key")
    }
    return header
  }
}
