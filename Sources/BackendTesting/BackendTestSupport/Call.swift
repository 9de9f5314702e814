import BackendClient
import BackendKit

/// A call of a backend, as written in tables.
///
/// - `describe known` or `describe live`, optionally with the name of a resource
/// - `plan PATH QUERY`
/// - `list PATH QUERY`: the identifiers of a page; `records`: its records; `pages`: the identifiers of all pages;
///   `query`: the result of the console, which does what the backend leaves to it
/// - `get PATH/ID`, optionally with `--fields a,b` and `--embed a,b`
/// - `create PATH {"a":1}`
/// - `update PATH/ID -a {"b":1}`, where `-a` removes a field; optionally with `--revision TEXT`
/// - `delete PATH/ID`, optionally with `--revision TEXT`; `delete all PATH`
/// - `act NAME PATH/ID {"a":1}`
///
/// Parts of a path are percent-decoded. A path of a resource names the record of a resource without identifiers.
struct Call {
  private let verb: String
  private var words: CallWords

  init(_ text: String) throws {
    words = CallWords(text)
    verb = words.next() ?? ""
    perform = { _ throws(BackendError) in "" }
    perform = try reading()
  }

  /// Makes the call and returns its outcome as text.
  private(set) var perform: (any Backend) async throws(BackendError) -> String

  static func object(_ text: String) throws -> Object {
    guard let object = try JSONReader.read(text).object else {
      throw CallRow.Failure(description: "no object: \(text)")
    }
    return object
  }

  private mutating func reading() throws -> (any Backend) async throws(BackendError) -> String {
    switch verb {
    case "describe": return try describing()
    case "plan", "list", "records", "pages", "query": return try listing()
    case "get":
      let (path, id) = try words.record()
      let query = try words.query(of: path)
      guard query.fields != nil || !query.embedded.isEmpty else {
        return { backend throws(BackendError) in Outcome.text(try await backend.get(id, from: path)) }
      }
      return { backend throws(BackendError) in
        Outcome.text(try await backend.get(id, from: path, fields: query.fields, embedding: query.embedded))
      }
    case "create":
      let (path, fields) = (try words.resource(), try Self.object(words.next() ?? ""))
      return { backend throws(BackendError) in Outcome.text(try await backend.create(fields, in: path)) }
    case "update":
      let (path, id) = try words.record()
      let (changes, revision) = try words.changes()
      return { backend throws(BackendError) in
        Outcome.text(try await backend.update(id, in: path, changes: changes, revision: revision))
      }
    case "delete":
      if words.first == "all" {
        _ = words.next()
        let path = try words.resource()
        return { backend throws(BackendError) in Outcome.text(try await backend.delete(.all, from: path)) }
      }
      let (path, id) = try words.record()
      let revision = try words.changes().revision
      return { backend throws(BackendError) in
        Outcome.text(try await backend.delete(.one(id), from: path, revision: revision))
      }
    case "act":
      let name = words.next() ?? ""
      let (path, id) = try words.record()
      let fields = try Self.object(words.next() ?? "{}")
      return { backend throws(BackendError) in
        Outcome.text(try await backend.act(name, on: id.isSole ? nil : id, in: path, with: fields))
      }
    default: throw CallRow.Failure(description: "no such call: \(verb)")
    }
  }

  private mutating func describing() throws -> (any Backend) async throws(BackendError) -> String {
    guard let depth = words.next().flatMap(DescriptionDepth.init(rawValue:)) else {
      throw CallRow.Failure(description: "describe known, or live")
    }
    let name = words.next()
    return { backend throws(BackendError) in
      let description = try await backend.describe(depth)
      guard let name else { return Outcome.text(description) }
      return description.resource(named: name).map(Outcome.text) ?? "none"
    }
  }

  private mutating func listing() throws -> (any Backend) async throws(BackendError) -> String {
    let path = try words.resource()
    let (query, cursor, verb) = (try words.query(of: path), words.cursor, verb)
    if verb == "plan" { return { backend throws(BackendError) in Outcome.text(try await backend.plan(query)) } }
    if verb == "query" {
      return { backend throws(BackendError) in
        let page = BufferedPage()
        let summary = try await Client(name: "test", backend: backend).list(ListRequest(query), to: page.sink)
        return Outcome.text([(await page.records, PageEnd(total: summary.total))]) { Outcome.text($0.id) }
      }
    }
    return { backend throws(BackendError) in
      var (pages, query, cursor): ([(records: [Record], end: PageEnd)], ListQuery, Cursor?) = ([], query, cursor)
      repeat {
        let page = BufferedPage()
        let end = try await backend.list(query, at: cursor, to: page.sink)
        pages.append((await page.records, end))
        (query.skip, cursor) = (0, end.next)
      } while verb == "pages" && cursor != nil && pages.count < 100
      return Outcome.text(pages) { verb == "records" ? Outcome.text($0) : Outcome.text($0.id) }
    }
  }
}
