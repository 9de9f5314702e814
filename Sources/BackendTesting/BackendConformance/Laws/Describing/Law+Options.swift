import BackendKit

/// Laws of ``LawGroup/options``. Nothing that these laws have an adapter send reaches the server.
extension Law {
  static let options: [Law] = [heardOptions, standardOptions, refusedOptions, loginRequests]

  private static let heardOptions = Law(
    "options have an effect", .options,
    "an option has an effect: with each of its values, the backend has a different description, or sends different"
      + " requests, than with any other."
  ) { context throws(CheckStop) in
    let (plugin, configured) = try context.needsPlugin()
    let options = plugin.withDefaults(configured)
    var judged = 0
    for option in plugin.options {
      var seen: [(Value?, OptionEcho)] = []
      for value in option.trials(beside: configured[option.name]) {
        guard let echo = await OptionEcho(context, plugin, options.setting(option.name, to: value)) else { continue }
        let same = seen.first { $0.1 == echo }
        try context.require(
          same == nil, "backends were created with the option \(option.name) \(words(value)) and \(words(same?.0))",
          expected: "different descriptions, or different requests", found: "no difference")
        seen.append((value, echo))
      }
      if seen.count > 1 { judged += 1 }
    }
    if judged == 0 { throw .notApplicable("no option has two values that the suite can try") }
  }

  private static let standardOptions = Law(
    "option defaults", .options, "an omitted option behaves as if it were set to its default."
  ) { context throws(CheckStop) in
    let (plugin, options) = try context.needsPlugin()
    let standing = plugin.options.filter { $0.defaultValue != nil }
    guard !standing.isEmpty else { throw .notApplicable("no option has a default") }
    for option in standing {
      let done = "a backend was created without the option \(option.name)"
      guard let reported = await OptionEcho(context, plugin, options.setting(option.name, to: option.defaultValue))
      else {
        continue
      }
      let silent = await OptionEcho(context, plugin, options.setting(option.name, to: nil))
      try context.require(
        silent == reported, done, expected: "the same as with the option \(words(option.defaultValue))",
        found: "a difference")
    }
  }

  private static let refusedOptions = Law(
    "invalid options refused", .options,
    "options from which no backend can be created throw `misconfigured` with the effect `notSent`."
  ) { context throws(CheckStop) in
    let (plugin, options) = try context.needsPlugin()
    var refused = 0
    for option in plugin.options {
      for value in option.doubtful {
        let outcome = await Result.of(try context.prepared(plugin, options.setting(option.name, to: value)))
        guard case .failure = outcome else { continue }
        refused += 1
        try await context.expectFailure(
          "a backend was created with the option \(option.name) \(words(value))", [.misconfigured],
          effects: [.notSent], of: outcome.get())
      }
    }
    if refused == 0 { throw .notApplicable("the adapter accepts every value") }
  }

  private static let loginRequests = Law(
    "login request methods", .options,
    "a plugin's login and logout requests use methods that may change something; the request that asks who is logged"
      + " in uses a read method."
  ) { context throws(CheckStop) in
    guard let scheme = try context.needsPlugin().plugin.login else { throw .notApplicable("the service has no login") }
    let reading = ["GET", "HEAD"]
    if case .login(let login) = scheme.kind {
      for (name, call) in [("log in", login.request), ("log out", login.logout ?? login.request)] {
        try context.require(
          !reading.contains(call.method), "the request to \(name) was read",
          expected: "a method that may change something",
          found: call.method)
      }
    }
    let identity = scheme.identity?.method ?? "GET"
    try context.require(
      reading.contains(identity), "the request that asks who is logged in was read", expected: "a read method",
      found: identity)
  }

  private static func words(_ value: Value?) -> String { value.map { "as \($0.shown)" } ?? "omitted" }
}

extension Object {
  fileprivate func setting(_ name: String, to value: Value?) -> Object {
    var object = self
    object[name] = value
    return object
  }
}

extension OptionDescription {
  /// Permitted values of the option with different meanings; nil omits it. An adapter may still refuse some.
  fileprivate func trials(beside configured: Value?) -> [Value?] {
    switch kind {
    case .choice(let words): return words.map { .string($0) }
    case .boolean: return [true, false]
    case .integer: return [3, 7]
    case .text: return ["conformance", "conformance-other"]
    case .object:
      return [nil, .object(.only("conformance", .object(Object())))] + (configured?.withParts ?? [])
    }
  }

  /// Values that an adapter may refuse, or that the option's kind excludes.
  fileprivate var doubtful: [Value] {
    switch kind {
    case .choice: ["conformance", ""]
    case .boolean: []
    case .integer: [0, -1, .int(.max)]
    case .text: ["", "/", "..", "a//b", "\u{0}", "?", "conformance"]
    case .object:
      [
        .null, 1, "conformance", [], ["conformance": 1], ["conformance": "x"], ["conformance": ["x": 1]], ["": .null],
      ]
    }
  }
}

extension Value {
  /// The value, and variants without the first part of each member. All of them should differ in meaning.
  fileprivate var withParts: [Value?] {
    guard let object else { return [self] }
    return [self]
      + object.members.compactMap { name, part in
        guard let part = part.object, let first = part.names.first else { return nil }
        return .object(object.setting(name, to: .object(part.setting(first, to: nil))))
      }
  }
}
