import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import SQL
import Synchronization

/// The rows of a statement as bars, each of a text, date or boolean and a number.
final class SQLPlot: Sendable {
  private struct State {
    /// The column of the numbers; nil before the first value.
    var numbers: Int?
    /// The first rows.
    var rows: [[Value]] = []
    var count = 0
    /// The number of rows without a number.
    var unnumbered = 0
    /// The sum of the rows that are not drawn; nil if it has too many digits.
    var rest: ExactDecimal? = ExactDecimal()
    var isRefused = false

    /// Takes a row. Returns false if its values are not of the types of a plot, or not those of the rows before.
    mutating func fits(_ row: [Value]) -> Bool {
      for (column, value) in row.enumerated() {
        switch value {
        case .null: continue
        case .number where (numbers ?? column) == column: numbers = column
        case .string where numbers != column, .bool where numbers != column: numbers = 1 - column
        default: return false
        }
      }
      return row.count == 2
    }
  }

  /// The maximum number of bars.
  private static let most = 100
  static let refusal = UsageError(
    "--plot needs a result of two columns, one of text, dates or booleans and one of numbers",
    hint: "CAST(COLUMN AS TEXT) makes a number a label")

  private let columns: [SQLColumn]
  private let keeps: Int
  private let state = Mutex(State())

  /// Creates a plot that keeps at least so many rows. Throws if the columns cannot be plotted, as far as their types are
  /// known.
  init(_ columns: [SQLColumn], keeps: Int) throws(UsageError) {
    (self.columns, self.keeps) = (columns, max(keeps, Self.most))
    let example = columns.map { column -> Value in
      switch column.kind {
      case .text, .html, .date, .day: ""
      case .integer, .number: 0
      case .boolean: false
      case .object, .list: .object(Object())
      case .any, nil: .null
      }
    }
    var state = State()
    if !state.fits(example) { throw Self.refusal }
  }

  /// True if a row cannot be plotted.
  var isRefused: Bool { state.withLock(\.isRefused) }

  /// Takes rows. Returns false if they cannot be plotted.
  func see(_ rows: [[Value]]) -> Bool {
    state.withLock { state in
      for row in rows {
        guard state.fits(row) else {
          state.isRefused = true
          return false
        }
        state.count += 1
        if state.rows.count < keeps { state.rows.append(row) }
        guard let column = state.numbers, case .number(let number) = row[column] else {
          state.unnumbered += 1
          continue
        }
        guard state.count > Self.most else { continue }
        if let decimal = ExactDecimal(number), state.rest?.add(decimal) == true { continue }
        state.rest = nil
      }
      return true
    }
  }

  /// Draws the rows, and keeps the first ones.
  func draw(in results: Results, of table: ResultTable, _ presentation: Presentation) {
    let seen = state.withLock(\.self)
    let number = seen.numbers ?? 1
    let label = 1 - number
    let bars = seen.rows.prefix(Self.most).map { row in
      BarChart.Bar(row[label], kind: columns[label].kind, number: row[number])
    }
    let chart = BarChart(bars: bars, isASCII: Plot.isASCII(in: results.console.environment))
    results.output.write(formatted: chart.text(width: results.output.width, theme: results.theme))
    results.keep(
      seen.rows.map(table.record), isWhole: seen.rows.count == seen.count, count: seen.count, presentation)
    results.result.count = seen.count
    results.result.coversList = !results.isUsed
    if seen.unnumbered > 0 {
      results.reporter.note("no bar for \(counted(seen.unnumbered, "row")) without a number")
    }
    if seen.count > Self.most {
      let sum = seen.rest.map { ", and the sum of the others is \($0.number.text)" } ?? ""
      results.reporter.note("the first \(Self.most) of \(counted(seen.count, "row")) are drawn\(sum)")
    }
  }
}
