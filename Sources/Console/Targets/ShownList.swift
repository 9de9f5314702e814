import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup

/// The list on the screen, whose records are named by `@N`.
struct ShownList: Sendable {
  let backend: String
  let path: ResourcePath
  /// The records in display order, up to the limit.
  let records: [(id: RecordID?, title: String?)]

  init(backend: String, path: ResourcePath, _ records: [Record]) {
    (self.backend, self.path) = (backend, path)
    self.records = records.map { ($0.id, $0.title) }
  }

  init(_ records: [Record], of target: Target) { self.init(backend: target.client.name, path: target.path, records) }

  /// The number in a word such as `@3`.
  static func number(_ word: Word) -> Int? {
    guard word.isBare, word.insertions.isEmpty, word.text.hasPrefix("@") else { return nil }
    let digits = word.text.dropFirst()
    return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}

extension Targets {
  /// The record that a word names as messages print it, `todos/8` or `todolist/todos/8`; nil for other words.
  func record(named text: String) async throws -> (Target, id: String)? {
    guard !text.hasOperator, !RecordURL.looksLikeOne(text), text.utf8.contains(UInt8(ascii: "/")) else {
      return nil
    }
    let parts = text.parts(between: UInt8(ascii: "/"))
    var isBackend = configuration(of: parts[0]) != nil
    if isBackend, try await isHidden(parts[0]) { isBackend = false }
    if !isBackend {
      if let rehearsal, !rehearsal.knowsCurrent { return nil }
      guard let current, try await knows(parts[0], current.backend) else { return nil }
    }
    guard let name = isBackend ? parts[0] : current?.backend else { return nil }
    let rest = isBackend ? parts.dropFirst() : parts[...]
    let typed = TypedPath(rest, in: try await open(name).client.describe(.known))
    let width = typed?.width ?? 1
    let written = parts.suffix(width).joined(separator: "/")
    guard width > 0, !written.isEmpty, typed != nil || ResourcePath(parts: rest.dropLast()) != nil,
      let target = try await target(named: parts.dropLast(width).joined(separator: "/"))
    else { return nil }
    return (try await target.spelled, typed?.id?.text ?? ResourcePath.decoded(written))
  }

  /// The undescribed resource of the current backend that a word names; nil unless the backend may have such, the
  /// command takes nothing else that looks like the word, and does not change or delete existing records.
  func otherResource(named text: String, isOnly: Bool) async throws -> Target? {
    guard let command, let current, text.first?.isLetter == true, !text.hasOperator,
      let path = ResourcePath(text),
      path.description == text, !["and", "or", "not"].contains(text.lowercased())
    else { return nil }
    let client = try open(current.backend).client
    let known = try await client.describe(.known)
    guard known.others != nil, current.path.map({ known.resource(at: $0)?.field(named: text) == nil }) ?? true
    else {
      return nil
    }
    let writes = command.writesRecords
    if command.takes(.identifier) {
      // Without a current resource, the first of several words can be nothing else.
      guard !writes, !isOnly, current.path == nil, try open(current.backend).configuration.resource == nil,
        known.names.count != 1
      else { return nil }
    } else {
      guard
        command.arguments.allSatisfy({ !$0.options.isEmpty || [.target, .predicate, .assignment].contains($0.kind) }),
        !writes || command.takes(.assignment) && command.arguments.count(where: { $0.kind == .target }) == 1
      else { return nil }
    }
    guard await nearestTarget(text) == nil else { return nil }
    return Target(backend: try open(current.backend), path: path)
  }
}
