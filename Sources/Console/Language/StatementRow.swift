/// What one row says of the statement that it stands in, by its bytes without the end of the row: the same in a script and at a
/// terminal.
enum StatementRow {
  /// Whether the next row is joined to it: an odd number of backslashes ends it, the last of which is not part of the statement.
  static func isContinued(_ row: some BidirectionalCollection<UInt8>) -> Bool {
    row.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  /// Whether a statement cannot begin with it: it is blank, or a comment.
  static func isPassedOver(_ row: some Collection<UInt8>) -> Bool {
    let first = row.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    return first == nil || first == UInt8(ascii: "#")
  }

  /// Whether it may leave a statement open that was whole before, or close one. Looking is cheaper than taking it apart.
  static func mayOpenOrClose(_ row: some Collection<UInt8>) -> Bool { row.contains { "'\"[{]}".utf8.contains($0) } }
}
