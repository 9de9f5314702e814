import BackendClient
import BackendKit
import ConsoleSetup

/// A write of a plan file: verb, identifier and changes, from which the request is made again, and the record as it
/// was.
struct PlanEntry: Sendable {
  var write: Write
  /// The record when the write was planned; nil for a creation.
  var before: JournalImage?
  /// The name of its backend; nil for the first one of the plan.
  let backend: String?
  /// The name for the identifier that a creation will get; nil if no other write needs it.
  let new: String?

  init(_ write: Write, before: JournalImage?, on backend: String? = nil, new: String? = nil) {
    self.write = write
    self.before = before
    self.backend = backend
    self.new = new
  }

  /// The names of fields, in changes or record, with secret values. A plan that was not edited has none.
  func secrets(_ blanking: Blanking) -> [String] {
    var fields = before?.fields.members.map { ($0.0, $0.1) } ?? []
    switch write {
    case .create(_, let given), .act(_, _, _, let given): fields += given.members
    case .update(_, _, let changes, let parts, _):
      for case .set(let name, let value) in changes { fields.append((name, value)) }
      for part in parts {
        // A part counts under the name of its field and of each object along its path.
        fields += part.path.map { ($0, part.value ?? .null) }
      }
    case .delete: break
    }
    var found: [String] = []
    for (name, value) in fields where blanking.isSecret(value, under: name) && !found.contains(name) {
      found.append(name)
    }
    return found
  }

  // MARK: Writing

  var line: Object {
    var (set, unset, parts, isForced) = (Object(), [Value](), [Value](), false)
    switch write {
    case .create(_, let fields), .act(_, _, _, let fields): set = fields
    case .update(_, _, let changes, let given, let use):
      for change in changes {
        if case .set(let name, let value) = change { set[name] = value } else { unset.append(.string(change.field)) }
      }
      parts = given.map { part in
        let path = Value.array(part.path.map { .string($0) })
        return .object(Object(facts: [("path", path), ("value", part.value)]))
      }
      isForced = use == .none
    case .delete(_, _, let use): isForced = use == .none
    }
    return Object(facts: [
      ("verb", write.verb), ("on", backend), ("resource", write.resource.description), ("id", write.id?.text),
      ("new", new), ("set", set.isEmpty && write.verb != "create" ? nil : set), ("unset", unset.isEmpty ? nil : unset),
      ("parts", parts.isEmpty ? nil : parts), ("force", isForced ? true : nil), ("before", before?.object),
    ])
  }

  /// A digest of the content, independent of formatting.
  var digest: String {
    String(SHA256.hex(Array(JSONWriter.compact(Value.object(line).canonical).utf8)).prefix(32))
  }

  // MARK: Reading

  private static let members: Set<String> = [
    "verb", "on", "resource", "id", "new", "set", "unset", "parts", "force", "before",
  ]

  /// Reads a line. Throws its error as a clause.
  init(_ line: Object) throws(PlanMistake) {
    if let name = line.names.first(where: { !Self.members.contains($0) }) {
      throw PlanMistake("\"\(name)\" is unknown")
    }
    guard let path = line["resource"]?.text.flatMap({ ResourcePath($0) }) else {
      throw PlanMistake("\"resource\" is missing or not a resource")
    }
    let set = line["set"]?.object ?? Object()
    before = line["before"]?.object.map { JournalImage($0) }
    (backend, new) = (line["on"]?.text, line["new"]?.text)
    func id() throws(PlanMistake) -> RecordID {
      guard let id = line["id"]?.text else { throw PlanMistake("\"id\" is missing") }
      return RecordID(id)
    }
    let use: Write.RevisionUse = line["force"]?.bool == true ? .none : .known
    switch line["verb"]?.text {
    case "create": write = .create(path, set)
    case "delete": write = .delete(path, .one(try id()), revision: use)
    case "update":
      let unset = (line["unset"]?.array ?? []).compactMap(\.text).map { Change.unset($0) }
      var parts: [PartChange] = []
      for part in line["parts"]?.array ?? [] {
        let names = part.object?["path"]?.array?.compactMap(\.text) ?? []
        guard let change = PartChange(names, part.object?["value"]) else {
          throw PlanMistake("\"parts\" contains an entry that is not a part of a field")
        }
        parts.append(change)
      }
      let changes = set.members.map { Change.set($0.0, $0.1) } + unset
      guard !(changes.isEmpty && parts.isEmpty) else { throw PlanMistake("an update needs a change") }
      write = .update(path, try id(), changes, parts: parts, revision: use)
    default: throw PlanMistake("\"verb\" is not create, update or delete")
    }
    guard write.id == nil || before != nil else { throw PlanMistake("\"before\" is missing") }
    guard line["on"] == nil || backend != nil else { throw PlanMistake("\"on\" is not a backend") }
    guard line["new"] == nil || write.isCreation && new.map(Self.isName) == true else {
      throw PlanMistake("\"new\" is not the name of a new record, as new:1")
    }
  }
}
