import AdapterSupport
public import BackendKit

/// The adapter in front of bytes written down in a test.
struct WrittenServer {
  static let todo = ResourcePath(name: "todo")
  static let schemas = ResourcePath(name: "schemas")
  /// Fields that the configuration tells.
  static let fields: Value = [
    "todo": [
      "title": "text", "isComplete": "boolean", "count": "integer", "weight": "number", "scheduledDate": "date",
      "tags": "list", "order": "text",
    ]
  ]

  let server: FixtureServer
  let exchange: RecordedExchange
  let backend: any Backend

  init(_ options: [(String, Value)] = [], _ server: FixtureServer) throws {
    self.server = server
    exchange = try RecordedExchange(server)
    backend = try PluginLibrary("baasic").backend(
      exchange, options: options)
  }

  init(_ options: [(String, Value)] = [], _ answers: [UInt8]...) throws {
    try self.init(options, FixtureServer(answers))
  }
}

/// An envelope around records, as the service writes it.
func envelope(_ items: String, page: Int = 1, size: Int = 10, total: Int, hal: Bool = false) -> [UInt8] {
  let records = hal ? #""_embedded":{"item":[\#(items)]}"# : #""item":[\#(items)]"#
  return FixtureServer.json(
    200,
    #"{\#(records),"page":\#(page),"recordsPerPage":\#(size),"searchQuery":null,"sort":null,"totalRecords":\#(total)}"#)
}

/// Records with identifiers from a range, as the inside of a list.
func items(_ range: ClosedRange<Int>) -> String {
  range.map { #"{"id":"r\#($0)","title":"t\#($0)"}"# }.joined(separator: ",")
}

extension Object: @retroactive ExpressibleByDictionaryLiteral {
  /// Fields as a test writes them.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
