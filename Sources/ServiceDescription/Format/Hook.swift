import BackendKit

/// What a description may leave to a function of a plugin.
enum Hook: String, CaseIterable {
  case compile, encode, wrap, decode, stored, locate, classify, learn, step, next

  var help: String {
    switch self {
    case .compile: "asks for conditions in a language of the service's own"
    case .encode: "checks and changes values before they are sent"
    case .wrap: "makes the document of a write"
    case .decode: "makes a record of what the service sent"
    case .stored: "what the service stores of a value"
    case .locate: "the path of a record"
    case .classify: "what a failure means"
    case .learn: "makes resources of the records of a catalog, or of an overview"
    case .step: "what goes before a write, and follows a response to it"
    case .next: "what the service calls the next page, where that is computed"
    }
  }

  /// Takes this hook from a plugin's; whether there is one.
  func take(from theirs: Service.Hooks, into hooks: inout Service.Hooks) -> Bool {
    switch self {
    case .compile: hooks.compile = theirs.compile
    case .encode: hooks.encode = theirs.encode
    case .wrap: hooks.wrap = theirs.wrap
    case .decode: (hooks.decode, hooks.decodeList) = (theirs.decode, theirs.decodeList)
    case .stored: hooks.stored = theirs.stored
    case .locate: hooks.locate = theirs.locate
    case .classify: hooks.classify = theirs.classify
    case .learn: hooks.learn = theirs.learn
    case .step: hooks.step = theirs.step
    case .next: hooks.next = theirs.next
    }
    return has(theirs)
  }

  private func has(_ hooks: Service.Hooks) -> Bool {
    switch self {
    case .compile: hooks.compile != nil
    case .encode: hooks.encode != nil
    case .wrap: hooks.wrap != nil
    case .decode: hooks.decode != nil
    case .stored: hooks.stored != nil
    case .locate: hooks.locate != nil
    case .classify: hooks.classify != nil
    case .learn: hooks.learn != nil
    case .step: hooks.step != nil
    case .next: hooks.next != nil
    }
  }
}
