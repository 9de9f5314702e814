import Synchronization

/// A body that is read in pieces.
///
/// A piece is requested only when the previous one is used up. A body not read to its end is abandoned.
public struct HTTPBody: Sendable {
  private let pull: @Sendable () async throws(BackendError) -> [UInt8]?

  /// A body whose pieces come from a closure; nil ends it.
  public init(_ pull: @escaping @Sendable () async throws(BackendError) -> [UInt8]?) { self.pull = pull }

  /// A body of these bytes, in one piece.
  public init(whole bytes: [UInt8]) {
    let rest = Rest(bytes)
    self.init { () throws(BackendError) in rest.take() }
  }

  /// The next piece, never empty, or nil at the end. Throws `badResponse` if the connection ended too early.
  public func next() async throws(BackendError) -> [UInt8]? { try await pull() }

  /// Reads the rest. Throws `badResponse` beyond `limit` bytes.
  public func collect(limit: Int = 64 << 20) async throws(BackendError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await pull() {
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      guard bytes.count <= limit else {
        throw .badResponse("the response is longer than \(limit) bytes")
      }
    }
    return bytes
  }

  /// Reads the rest as a JSON document. Throws `badResponse` if it is not one.
  public func json() async throws(BackendError) -> Value { try HTTPBody.json(try await collect()) }

  /// Reads the rest as a JSON document; nil for only white space. Throws `badResponse` if it is not one.
  public func jsonIfAny() async throws(BackendError) -> Value? {
    let bytes = try await collect()
    return bytes.allSatisfy { " \t\r\n".utf8.contains($0) } ? nil : try HTTPBody.json(bytes)
  }

  private static func json(_ bytes: [UInt8]) throws(BackendError) -> Value {
    do { return try JSONReader.read(bytes) } catch {
      throw .badResponse("the response is not valid JSON: \(error)")
    }
  }

  /// Reads the rest, passing the elements of the list at `items` to a closure in pieces; returns the document around
  /// them, or nil if the closure returned `enough`.
  ///
  /// Throws `badResponse` if the body is not JSON or truncated; without a list at these places, the error that
  /// `mismatch` makes of the document. With `passing`, an element with a value that is no JSON, such as `NaN`, does not
  /// hide the others: its index in the next piece and the flaw are passed to it first, and the element has null or U+FFFD there.
  public func elements(
    _ items: JSONReader.Items = .at([[]]), limits: JSONReader.Limits = JSONReader.Limits(),
    otherwise mismatch: ((Value) -> BackendError)? = nil, passing: ((Int, JSONFlaw) -> Void)? = nil,
    to receive: ([Value]) async throws(BackendError) -> RecordSink.Answer
  ) async throws(BackendError) -> Value? {
    var reader = JSONReader(items: items, limits: limits)
    reader.passesFlaws = passing != nil
    func read<Result>(_ body: () throws(JSONError) -> Result) throws(BackendError) -> Result {
      do { return try body() } catch {
        throw .badResponse("the response is not a JSON list: \(error)")
      }
    }
    while let piece = try await pull() {
      let elements = try read { () throws(JSONError) in try reader.feed(piece) }
      for (place, flaw) in reader.flaws { passing?(place, flaw) }
      if !elements.isEmpty, try await receive(elements) == .enough { return nil }
    }
    let document = try read { () throws(JSONError) in try reader.finish() }
    guard reader.foundItems else {
      throw mismatch?(document)
        ?? BackendError.badResponse("expected a list of records in the response, found \(document.kind)")
    }
    return document
  }
}

/// The result of reading a page of records.
public struct PageReading: Sendable {
  /// The number of its records that arrived, including those taken before.
  public var count = 0
  /// The document around the records; nil if the page was abandoned.
  public var document: Value?
  /// True if the receiver wants no more.
  var isEnough = false
}

extension HTTPBody {
  /// Passes on the records of a page as they arrive, except for the first `used`, which were taken before.
  ///
  /// An element that is not a record, or has a value that is no JSON, does not hide others: it is passed on as a place
  /// without one, once a record has shown that this is a list of records. If no element is one, the first error is
  /// thrown.
  ///
  /// Once the receiver has enough, reading continues until another record shows that the page goes on: a total behind
  /// the records, or the end of the list, is known only from a page that was read to its end. A document without such
  /// records throws `mismatch`, or `badResponse`; one with more than `most` elements throws `overfull`. `preparing`
  /// gets the elements that are read next.
  public func records(
    _ items: JSONReader.Items = .at([[]]), after used: Int = 0, upTo most: Int = .max, to sink: RecordSink,
    otherwise mismatch: ((Value) -> BackendError)? = nil, overfull: (() -> BackendError)? = nil,
    preparing: (ArraySlice<Value>) throws(BackendError) -> Void = { _ in },
    reading record: (Value) throws(BackendError) -> Record
  ) async throws(BackendError) -> PageReading {
    var reading = PageReading()
    var readable = ReadableRecords()
    var flaws: [Int: JSONFlaw] = [:]
    reading.document = try await elements(items, otherwise: mismatch, passing: { flaws[$0] = $1 }) {
      values throws(BackendError) in
      defer { flaws = [:] }
      if reading.isEnough { return .enough }
      let rest = values.dropFirst(max(0, used - reading.count))
      reading.count += values.count
      if reading.count > most, let overfull { throw overfull() }
      guard !rest.isEmpty else { return .more }
      try preparing(rest)
      let records = try readable.take(rest, flaws, reading: record)
      if !records.isEmpty { reading.isEnough = try await sink.send(records) == .enough }
      return .more
    }
    if let error = readable.error { throw error }
    return reading
  }
}

/// The bytes of a body, until they are read.
private final class Rest: Sendable {
  private let bytes: Mutex<[UInt8]>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

  func take() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes.isEmpty ? nil : bytes
    }
  }
}

/// Separates records from elements of a list that are not.
private struct ReadableRecords {
  /// The number of unusable elements without any record after which a list is not one of records.
  private static let most = 1_000

  private var isProven = false
  /// The places before the first record.
  private var held: [Record] = []
  private var first: BackendError?

  /// The error of a page without records.
  var error: BackendError? { isProven ? nil : first }

  /// The records, and the places without one, that may be passed on.
  mutating func take(
    _ values: ArraySlice<Value>, _ flaws: [Int: JSONFlaw], reading record: (Value) throws(BackendError) -> Record
  ) throws(BackendError) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(values.count)
    for (place, value) in zip(values.indices, values) {
      do throws(BackendError) {
        var record = try record(value)
        if let flaw = flaws[place] {
          let reason = (record.id.map { "identifier \($0.text), " } ?? "") + flaw.reason
          let isNamed = record.id?.text.contains("\u{FFFD}") != true
          if flaw.isLost || !isNamed { record = .unreadable(reason) } else { record.defect = reason }
        }
        records.append(record)
        isProven = true
      } catch {
        guard error.code == .badResponse else { throw error }
        first = first ?? error
        records.append(.unreadable(flaws[place]?.reason ?? error.message))
      }
    }
    guard isProven else {
      held += records
      if held.count >= Self.most, let first { throw first }
      return []
    }
    defer { held = [] }
    return held.isEmpty ? records : held + records
  }
}

extension HTTPResponse {
  /// Reads the response. If it cannot be read and is an HTML page, the error reports the page.
  func reading<Content>(_ read: () async throws(BackendError) -> Content) async throws(BackendError) -> Content {
    do throws(BackendError) { return try await read() } catch {
      if error.code == .badResponse { try checkIsNoPage() }
      throw error
    }
  }
}
