import BackendClient
package import BackendKit

/// A statement that was parsed and checked, ready to be run once. The only requests sent for it so far are those of the
/// catalog.
package final class PreparedStatement: Sendable {
  /// The columns of its result; empty if it writes.
  package let columns: [SQLColumn]
  /// The resource that it writes; nil if it only reads.
  package let writesTo: (backend: String, resource: String)?
  package let plan: SQLPlan
  /// Remarks for people, such as fields that have no column.
  package let notes: [String]
  private let core: StatementCore
  private let timeout: Duration?

  private init(_ core: StatementCore, _ prepared: StatementCore.Prepared, timeout: Duration?) {
    self.core = core
    self.timeout = timeout
    columns = prepared.columns
    writesTo = prepared.writesTo
    plan = prepared.plan
    notes = prepared.notes
  }

  /// Parses and checks a statement, which may also read tables that do not belong to backends. With `binds`, parameters
  /// without a value are refused.
  package static func prepare(
    _ statement: SQLStatement, in catalog: any SQLCatalog, limits: SQLLimits = SQLLimits(),
    tables: [SQLLocalTable] = [], binds: Bool = true
  ) async throws(SQLError) -> PreparedStatement {
    let counter = RequestCounter(most: limits.maxRequests)
    let (named, schemas) = try await Self.tables(of: statement.text, in: catalog, counter)
    let core = try StatementCore(named, LocalTables(tables), limits: limits)
    let errands = Errands()
    let prepared = try await SQLThread.run(errands) {
      do throws(SQLError) {
        return .success(try core.prepare(statement, schemas, binds: binds, errands))
      } catch { return .failure(error) }
    }
    return PreparedStatement(core, prepared, timeout: limits.timeout)
  }

  /// The maximum number of backends in one statement: SQLite's own limit.
  private static let mostBackends = 10

  /// The tables in a statement, and the names of their backends.
  private static func tables(
    of text: String, in catalog: any SQLCatalog, _ counter: RequestCounter
  ) async throws(SQLError) -> ([(schema: String, name: String, table: Table)], [String]) {
    var found: [(schema: String, name: String, table: Table)] = []
    var schemas: [String] = []
    do throws(BackendError) {
      for pair in StatementNames.tables(in: text) {
        let (schema, name) = (pair.backend.asciiLowercased, pair.resource.asciiLowercased)
        if found.contains(where: { $0.schema == schema && $0.name == name && $0.table.backend == pair.backend }) {
          continue
        }
        guard let client = try await catalog.client(of: pair.backend) else {
          guard pair.isTable else { continue }
          throw BackendError(
            .notFound, "unknown backend \"\(pair.backend)\"", effect: .notSent,
            hint: "backends lists them; a table is BACKEND.RESOURCE")
        }
        guard let resource = try await catalog.resource(pair.resource, of: client) else {
          guard pair.isTable else { continue }
          throw BackendError(
            .notFound, "unknown resource \"\(pair.resource)\" of \(pair.backend)", effect: .notSent,
            hint: SpellingSuggestion.hint(
              for: pair.resource, among: try await client.describe(.known).names,
              shown: { "\(pair.backend).\(SQLWords.quoted($0))" }))
        }
        let table = Table(
          found.count, "\(pair.backend).\(pair.resource)", of: client, resource,
          counter: RequestCounter(within: counter))
        if let known = found.first(where: {
          $0.schema == schema && ($0.name == name || $0.table.backend != pair.backend)
        }) {
          throw BackendError.invalid(
            "\(known.table.name) and \(table.name) differ only in case, which SQL ignores")
        }
        found.append((schema, name, table))
        if !schemas.contains(schema) { schemas.append(schema) }
      }
    } catch { throw SQLError(.backend(error), error.message, hint: error.hint) }
    if let name = schemas.first(where: { $0 == "main" || $0 == "temp" }) {
      throw SQLError(
        .statement, "a backend named \(name) cannot be used in a statement: the name has another meaning in SQL",
        hint: "give it another name")
    }
    guard schemas.count <= mostBackends else {
      throw SQLError(
        .statement, "a statement can use up to \(mostBackends) backends, and this one uses \(schemas.count)")
    }
    return (found, schemas)
  }

  /// Runs the statement and passes the rows of its result to `sink` in batches; the next batch waits until `sink`
  /// returns. If `sink` throws, the run ends with that error. A statement that does more than read one list passes on
  /// its first row only once everything it reads has arrived.
  package func run(
    to sink: @escaping @Sendable ([[Value]]) async throws(BackendError) -> Void
  ) async throws(SQLError) -> SQLReport {
    let errands = Errands()
    let (core, columns, streams) = (core, columns, plan.streams)
    if let timeout {
      errands.start {
        do { try await Task.sleep(for: timeout) } catch { return }
        errands.stop(
          SQLError(.incomplete, "the statement took longer than \(timeout)", hint: "--timeout gives it more time"))
      }
    }
    let shown = try await SQLThread.run(errands) {
      do throws(SQLError) {
        return .success(
          try core.run(columns, streams: streams, errands) { rows throws(SQLError) in
            try errands.wait { () throws(BackendError) in try await sink(rows) }
          })
      } catch {
        // The cause of an interruption is more informative than the interrupted computation.
        do throws(SQLError) { try errands.check() } catch { return .failure(error) }
        return .failure(error)
      }
    }
    return core.report(shown: shown)
  }

  /// Runs a statement that writes without sending any write. Returns the requested writes, in order; none if it fails.
  package func record() async throws(SQLError) -> (writes: [RecordedWrite], report: SQLReport) {
    let report = try await run { _ in }
    return (core.recorder.writes, report)
  }
}
