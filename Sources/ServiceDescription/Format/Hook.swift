import BackendKit

/// What a description may leave to a function of a plugin.
enum Hook: String, CaseIterable {
  case compileQuery, encodeValues, encodeBody, decodeRecord, normalize, itemPath, classifyError, discoverResources,
    interceptWrite, nextPage

  var help: String {
    switch self {
    case .compileQuery: "builds conditions in the service's own query language"
    case .encodeValues: "checks and changes values before they are sent"
    case .encodeBody: "builds the body of a write"
    case .decodeRecord: "builds a record from what the service sent"
    case .normalize: "how the service stores a value"
    case .itemPath: "the path of a record"
    case .classifyError: "what a failure means"
    case .discoverResources: "turns the records of a catalog, or an overview, into resources"
    case .interceptWrite: "runs before a write, and handles its response"
    case .nextPage: "computes the cursor or address of the next page"
    }
  }

  /// What the hook was called in earlier builds.
  var formerly: String {
    switch self {
    case .compileQuery: "compile"
    case .encodeValues: "encode"
    case .encodeBody: "wrap"
    case .decodeRecord: "decode"
    case .normalize: "stored"
    case .itemPath: "locate"
    case .classifyError: "classify"
    case .discoverResources: "learn"
    case .interceptWrite: "step"
    case .nextPage: "next"
    }
  }

  /// Takes this hook from a plugin's; whether there is one.
  func take(from theirs: Service.Hooks, into hooks: inout Service.Hooks) -> Bool {
    switch self {
    case .compileQuery: hooks.compile = theirs.compile
    case .encodeValues: hooks.encode = theirs.encode
    case .encodeBody: hooks.wrap = theirs.wrap
    case .decodeRecord: (hooks.decode, hooks.decodeList) = (theirs.decode, theirs.decodeList)
    case .normalize: hooks.stored = theirs.stored
    case .itemPath: hooks.locate = theirs.locate
    case .classifyError: hooks.classify = theirs.classify
    case .discoverResources: hooks.learn = theirs.learn
    case .interceptWrite: hooks.step = theirs.step
    case .nextPage: hooks.next = theirs.next
    }
    return has(theirs)
  }

  private func has(_ hooks: Service.Hooks) -> Bool {
    switch self {
    case .compileQuery: hooks.compile != nil
    case .encodeValues: hooks.encode != nil
    case .encodeBody: hooks.wrap != nil
    case .decodeRecord: hooks.decode != nil
    case .normalize: hooks.stored != nil
    case .itemPath: hooks.locate != nil
    case .classifyError: hooks.classify != nil
    case .discoverResources: hooks.learn != nil
    case .interceptWrite: hooks.step != nil
    case .nextPage: hooks.next != nil
    }
  }
}
