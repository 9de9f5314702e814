import BackendKit

/// Recognizes addresses that perform an action rather than only show something.
///
/// A survey never reads an address found in a response or document if its path has one of these words, or its query
/// requests one. A segment of a path matches if the word is one of its parts: `logout`, `do_logout`, `logoutAll`,
/// `users:logout`, `logout.json`.
public enum ActionWords {
  /// The verbs, in alphabetical order.
  public static let verbs = [
    "abort", "accept", "activate", "add", "apply", "approve", "archive", "assign", "authorize", "ban", "buy", "cancel",
    "charge", "clean", "cleanup", "clear", "clone", "close", "commit", "complete", "confirm", "convert", "copy",
    "create", "deactivate", "decline", "delete", "demote", "deny", "deploy", "deregister", "destroy", "disable",
    "discard", "dismiss", "dispatch", "drain", "drop", "duplicate", "edit", "empty", "enable", "end", "enqueue",
    "erase", "exec", "execute", "expire", "export", "fail", "finish", "fire", "flush", "generate", "halt",
    "impersonate", "import", "insert", "install", "invalidate", "invite", "invoke", "join", "kill", "launch", "lock",
    "login", "logoff", "logout", "migrate", "modify", "move", "notify", "optin", "optout", "pause", "pay", "perform",
    "poweroff", "process", "promote", "prune", "publish", "purchase", "purge", "reboot", "rebuild", "recalculate",
    "refresh", "refund", "regenerate", "register", "reindex", "reject", "reload", "remove", "rename", "renew", "reopen",
    "replay", "requeue", "rerun", "resend", "reset", "restart", "restore", "resume", "retry", "revert", "revoke", "rm",
    "rollback", "rotate", "run", "save", "send", "shutdown", "signin", "signoff", "signout", "signup", "start", "stop",
    "submit", "subscribe", "suspend", "sync", "synchronize", "terminate", "toggle", "trigger", "truncate", "unarchive",
    "unassign", "unban", "undo", "uninstall", "unlink", "unlock", "unpublish", "unregister", "unsubscribe", "unsuspend",
    "update", "upgrade", "upload", "upvote", "vacuum", "verify", "wipe", "withdraw",
  ]

  /// Parameters whose value names an action: `?action=delete`.
  public static let parameters = [
    "_method", "act", "action", "cmd", "command", "do", "event", "func", "function", "method", "op", "operation",
    "task", "verb",
  ]

  private static let known = Set(verbs)
  /// Values that request the action a parameter is named after: `?logout`, `?refresh=true`.
  private static let yes: Set<String> = ["", "1", "on", "true", "y", "yes"]

  /// The first verb in an address; nil if there is none. Addresses in `given` were given by the user and are not
  /// checked, nor are leading segments of a path that it shares with one of them.
  public static func verb(in address: String, beyond given: [String] = []) -> String? {
    guard !given.contains(address) else { return nil }
    let segments = segments(of: address)
    let skipped = given.map { zip(Self.segments(of: $0), segments).prefix { $0 == $1 }.count }.max() ?? 0
    for segment in segments.dropFirst(skipped) {
      if let verb = verb(inText: segment) { return verb }
    }
    let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    for pair in query.split(whereSeparator: { $0 == "&" || $0 == ";" }) {
      let name = decoded(pair.prefix { $0 != "=" }).lowercased()
      let value = decoded(pair.drop { $0 != "=" }.dropFirst()).lowercased()
      if parameters.contains(name), let verb = verb(inText: value[...]) { return verb }
      // `start` and `end` select the records of a page.
      let word = words(of: name).joined()
      if known.contains(word), !["start", "end"].contains(word), yes.contains(value) { return word }
    }
    return nil
  }

  /// The segments of an address's path, undecoded.
  private static func segments(of address: String) -> [Substring] {
    (Link.rootPath(address) ?? address).prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
  }

  /// The first verb in a text that may be percent-encoded, possibly more than once.
  private static func verb(inText text: Substring) -> String? {
    let words = words(of: decoded(text))
    for (place, word) in words.enumerated() {
      // `sign-out` is `signout`, `dologout` and `logoutall` are `logout`.
      let pair = place + 1 < words.count ? word + words[place + 1] : word
      let bare = [
        word, pair, word.hasPrefix("do") ? String(word.dropFirst(2)) : word,
        word.hasSuffix("all") ? String(word.dropLast(3)) : word,
      ]
      if let verb = bare.first(where: known.contains) { return verb }
    }
    return nil
  }

  private static func decoded(_ text: Substring) -> String {
    var text = String(text)
    for _ in 0..<3 {
      guard let next = PercentEncoding.decoded(text[...]), next != text else { break }
      text = next
    }
    return text
  }

  /// The words of a text in lowercase letters: signs, digits and capital letters separate them.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var last: (isLetter: Bool, isCapital: Bool) = (false, false)
    let bytes = Array(text.utf8)
    for (place, byte) in bytes.enumerated() {
      let isCapital = (0x41...0x5A).contains(byte)
      let isLetter = isCapital || (0x61...0x7A).contains(byte)
      let endsCapitals =
        isCapital && last.isCapital && place + 1 < bytes.count && (0x61...0x7A).contains(bytes[place + 1])
      if isLetter {
        if !last.isLetter || (isCapital && !last.isCapital) || endsCapitals { words.append("") }
        words[words.count - 1].unicodeScalars.append(Unicode.Scalar(isCapital ? byte | 0x20 : byte))
      }
      last = (isLetter, isCapital)
    }
    return words
  }
}
