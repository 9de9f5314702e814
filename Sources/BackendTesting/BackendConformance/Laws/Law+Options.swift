import BackendKit

/// Laws of ``LawGroup/options``. Nothing that these laws have an adapter send reaches the server.
extension Law {
  static let options: [Law] = [heardOptions, standardOptions, refusedOptions, loginRequests]

  private static let heardOptions = Law(
    "heard options", .options,
    "an option makes a difference: with one of its values the backend describes itself otherwise, or sends something else,"
      + " than with each other one."
  ) { context throws(CheckStop) in
    let (plugin, configured) = try context.needsPlugin()
    let options = plugin.withDefaults(configured)
    var judged = 0
    for option in plugin.options {
      var seen: [(Value?, OptionEcho)] = []
      for value in option.trials(beside: configured[option.name]) {
        guard let echo = await context.echo(of: plugin, options.setting(option.name, to: value)) else { continue }
        let same = seen.first { $0.1 == echo }
        try context.require(
          same == nil, "backends were made with the option \(option.name) \(words(value)) and \(words(same?.0))",
          expected: "that they describe themselves otherwise, or send something else", found: "no difference")
        seen.append((value, echo))
      }
      if seen.count > 1 { judged += 1 }
    }
    return judged > 0 ? .run : .notApplicable("no option has two values that the suite could think of")
  }

  private static let standardOptions = Law(
    "default options", .options, "an option that is left out is as one that is set to its default."
  ) { context throws(CheckStop) in
    let (plugin, options) = try context.needsPlugin()
    let standing = plugin.options.filter { $0.defaultValue != nil }
    guard !standing.isEmpty else { return .notApplicable("no option has a default") }
    for option in standing {
      let done = "a backend was made without the option \(option.name)"
      guard let reported = await context.echo(of: plugin, options.setting(option.name, to: option.defaultValue)) else {
        continue
      }
      let silent = await context.echo(of: plugin, options.setting(option.name, to: nil))
      try context.require(
        silent == reported, done, expected: "what comes of \(words(option.defaultValue))", found: "something else")
    }
    return .run
  }

  private static let refusedOptions = Law(
    "options refused", .options,
    "options of which no backend can be made throw `misconfigured` with the effect `notSent`."
  ) { context throws(CheckStop) in
    let (plugin, options) = try context.needsPlugin()
    var refused = 0
    for option in plugin.options {
      for value in option.doubtful {
        do throws(BackendError) {
          _ = try context.prepared(plugin, options.setting(option.name, to: value))
        } catch {
          refused += 1
          try await context.expectFailure(
            "a backend was made with the option \(option.name) \(words(value))", [.misconfigured], effects: [.notSent]
          ) { () throws(BackendError) in throw error }
        }
      }
    }
    return refused > 0 ? .run : .notApplicable("the adapter takes whatever it is given")
  }

  private static let loginRequests = Law(
    "login requests", .options,
    "the requests by which a plugin logs in and out have methods that may change something, and the one that tells who is"
      + " logged in has one that reads."
  ) { context throws(CheckStop) in
    guard let scheme = try context.needsPlugin().plugin.login else { return .notApplicable("the service has no login") }
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
      reading.contains(identity), "the request that tells who is logged in was read", expected: "a method that reads",
      found: identity)
    return .run
  }

  private static func words(_ value: Value?) -> String { value.map { "as \(ValueSimilarity.shown($0))" } ?? "left out" }
}

extension Object {
  /// The object with one member set, or without it.
  fileprivate func setting(_ name: String, to value: Value?) -> Object {
    var object = self
    object[name] = value
    return object
  }
}

extension OptionDescription {
  /// Values that the option may have, no two of which mean the same; nil for leaving it out. An adapter does not have
  /// to use those that it refuses.
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

  /// Values that the option may have by its kind, and that an adapter may refuse all the same; or may not have.
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
  /// The value, and what it is without the first thing that it says of each of its members; each of these is to mean
  /// something.
  fileprivate var withParts: [Value?] {
    guard let object else { return [self] }
    return [self]
      + object.members.compactMap { name, part in
        guard let part = part.object, let first = part.names.first else { return nil }
        return .object(object.setting(name, to: .object(part.setting(first, to: nil))))
      }
  }
}
