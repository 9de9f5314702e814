import BackendKit
import CSQLite

extension StatementCore {
  /// The columns of its result.
  func columns(of statement: Statement) -> [SQLColumn] {
    (0..<sv_column_count(statement.handle)).map { place in
      func text(_ bytes: UnsafePointer<CChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }
      let table = table(
        text(sv_column_database(statement.handle, place)), text(sv_column_table(statement.handle, place)))
      let column = table.flatMap { table in
        table.columns.place(of: text(sv_column_origin(statement.handle, place))).map { table.columns.all[$0] }
      }
      return SQLColumn(name: text(sv_column_name(statement.handle, place)), kind: column?.kind)
    }
  }

  /// Returns SQLite's plan for the statement.
  func plan(_ text: String) throws(SQLError) -> SQLPlan {
    guard let handle = ("EXPLAIN QUERY PLAN " + text).withCString({ sv_prepare(database.handle, $0, nil) }) else {
      throw refusal(text)
    }
    let explained = Statement(handle, of: database)
    var plan = SQLPlan()
    var depths: [Int64: Int] = [:]
    while try explained.step() {
      let depth = depths[explained.number(1)].map { $0 + 1 } ?? 0
      depths[explained.number(0)] = depth
      let detail = explained.text(3)
      let words = detail.split(separator: " ").map(String.init)
      if let place = words.firstIndex(of: "INDEX"), place > 0, words[place - 1] == "TABLE", place + 1 < words.count,
        let number = Int(words[place + 1].prefix { $0 != ":" }), let scan = scan(number)
      {
        var account = scan.account
        if !scan.table.unlisted.isEmpty {
          account.requests += "; one for each row that is read, for \(scan.table.unlisted.joined(separator: ", "))"
        }
        plan.scans.append(account)
        plan.steps.append(String(repeating: "  ", count: depth) + "\(words[0]) \(words[1]): \(scan.account.strategy)")
      } else {
        plan.steps.append(String(repeating: "  ", count: depth) + detail)
      }
    }
    plan.streams = plan.steps.count <= 1
    return plan
  }

  var notes: [String] {
    tables.flatMap { table in
      table.columns.omitted.isEmpty
        ? [] : ["\(table.name): \(table.columns.omitted.joined(separator: ", ")) only in \(Columns.recordName)"]
    }
  }
}
