import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Synchronization

extension Command {
  static let stats = Command(
    "stats", .look, "Show statistics of a field: count, minimum, maximum, sum, most frequent values",
    arguments: [.one(.field), .optional(.target), .any(.predicate)], effects: .readsRecords,
    options: [
      OptionSyntax(
        "plot", help: "plot the values: a histogram for numbers, a timeline for dates, else the most frequent values"),
      OptionSyntax(
        "by", value: .oneOf(["day", "month", "year"]), help: "bucket size for dates: day, month or year"),
      OptionSyntax(
        "output", value: .oneOf(OutputFormat.allCases.map(\.rawValue) + [SVG.format], as: "FORMAT"),
        help: "format of the result; \(SVG.format) is the plot as a picture", short: "o"),
    ] + SharedOptions.query + SharedOptions.output.filter { $0.name != "output" },
    details: [
      "Reads every record of the list, up to --max-scan.",
      "--to orders.svg writes the plot as a picture. A bin does not include its upper bound.",
    ],
    examples: [
      Example(line: "stats title", says: "the titles of the current resource"),
      Example(line: "stats order todolist completed=false", says: "the orders of the open todos"),
      Example(line: "stats order todolist --plot", says: "how they are distributed"),
    ]
  ) { invocation, context in
    let field = try invocation.one(.field).text
    let unit = invocation.value(of: "by").flatMap(TimeUnit.init(rawValue:))
    if unit != nil, !invocation.has("plot"), !invocation.asksForPicture {
      throw UsageError("--by requires a plot", hint: "stats FIELD --plot --by month")
    }
    let tally = Mutex((all: FieldTally(FieldPath(field)), plot: PlotTally(FieldPath(field))))
    let isPicture = invocation.asksForPicture
    let output = isPicture ? nil : try RecordOutput(invocation, context, default: .expanded)
    let isPlotted = isPicture || invocation.has("plot")
    let (resource, summary) = try await Scan(context).read(invocation, for: FieldPath(field)) { records in
      tally.withLock { tally in
        tally.all.add(records)
        if isPlotted { tally.plot.add(records) }
      }
    }
    let counted = tally.withLock(\.all)
    let plot = isPlotted ? tally.withLock { $0.plot.plot(of: $0.all, by: unit) } : nil
    if let plot, plot.leftOut > 0 {
      context.note("values of other kinds, not plotted: \(plot.leftOut.grouped)")
    }
    guard let output else {
      if let plot { context.results.output.write(plot.svg) }
      return try Scan(context).report(summary)
    }
    var figures = counted.figures
    let top = counted.top(output.isForPeople ? 10 : 100)
    figures["top"] = .array(top.map { ["value": $0.value ?? .null, "count": .int($0.count)] })
    if let plot { figures["plot"] = plot.facts }
    let record = Record(id: nil, fields: figures)
    let presentation = output.presentation(context, fields: [], columns: nil, isSingle: true)
    context.keep([record], presentation)
    context.page()
    if output.isForPeople {
      context.results.show(counted, top, presentation, kind: resource.field(named: field)?.kind, plot)
    } else {
      output.print(record, presentation, context, isWhole: summary.shortfall == nil)
    }
    if counted.counts.uncounted > 0 {
      context.note("there are more distinct values than the \(counted.counts.distinct.grouped) counted")
    }
    try Scan(context).report(summary)
  }
}

extension Results {
  fileprivate func show(
    _ tally: FieldTally, _ top: [ValueCounts.Entry], _ presentation: Presentation, kind: FieldDescription.Kind?,
    _ plot: Plot?
  ) {
    var presentation = presentation
    presentation.columns = tally.figures.names.map { FieldPath($0) }
    var printer = ExpandedPrinter(presentation)
    var text: [UInt8] = []
    printer.add(Record(id: nil, fields: tally.figures), to: &text)
    output.write(formatted: text)
    if let plot {
      output.write("\n")
      let chart = plot.chart(isASCII: Plot.isASCII(in: console.environment))
      output.write(formatted: chart.text(width: output.width, theme: theme))
      return
    }
    // No value is the most frequent if each occurs once.
    guard let most = top.first, most.count > 1 || tally.counts.distinct <= 3 else { return }
    let bars = top.map { BarChart.Bar($0.value, kind: kind, count: $0.count) }
    output.write("\n")
    output.write(formatted: BarChart(bars: bars, total: tally.values).text(width: output.width, theme: theme))
  }
}
