extension ResumeFile {
  /// The rows that earlier runs of a command have sent.
  struct Past {
    struct Row: Hashable, Sendable {
      var input: String
      var mark: String
      /// The identifier of its record, escaped for a line; nil if it was not reported.
      var id: String?
      /// The run and number of its journal entry.
      var run: String?
      var entry: Int64?
      /// True if the server accepted it, and may create it later.
      var isAccepted = false

      /// A digest of its content.
      var digest: String { mark.utf8.firstIndex(of: UInt8(ascii: "-")).map { String(mark[..<$0]) } ?? mark }
    }

    struct Input: Sendable {
      var work: String?
      var run: String?
      /// Other inputs whose rows count as its own.
      var continued: Set<String> = []
      /// The number of rows that are done or open.
      var rows = 0
    }

    /// Created rows, by the digests of their contents.
    private(set) var done: [String: [Row]] = [:]
    /// Sent rows with unknown outcomes, by the digests of their contents.
    private(set) var open: [String: [Row]] = [:]
    private(set) var inputs: [String: Input] = [:]
    /// The process that finished inputs, if nothing was added since.
    private(set) var finishedBy: String?
    /// The inputs that it finished; none stands for all.
    private var finished: Set<String> = []
    /// The finished inputs, among others, of a process that is still running, and so has told its caller or will.
    var over: Set<String> { finishedBy.map { JournalProcess.isRunning($0) } ?? false ? finished : [] }
    /// True if such a process finished all inputs.
    var isOver: Bool { finished.isEmpty && finishedBy.map { JournalProcess.isRunning($0) } ?? false }
    /// The rows without those of finished inputs.
    var unfinished: Past {
      let over = over
      return isOver ? Past() : only { !over.contains($0) }
    }
    /// The time of the last run's last write, in milliseconds since 1970.
    var ended: Int64 = 0

    init(ended: Int64 = 0) { self.ended = ended }

    /// Reads the lines of a file. Rows before any input belong to one with an empty digest.
    init(lines: [Substring], ended: Int64) {
      self.ended = ended
      var input = ""
      for line in lines {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2 else { continue }
        if parts[0] == "forgotten" { self = only { !parts.dropFirst().contains($0) } }
        if parts[0] == "input" { input = parts[1] }
        finishedBy = parts[0] == "finished" ? parts[1] : nil
        finished = parts[0] == "finished" ? Set(parts.dropFirst(2)) : []
        if parts[0] != "forgotten" { add(parts, input) }
      }
    }

    private mutating func add(_ parts: [String], _ input: String) {
      var facts = inputs[input] ?? Input()
      defer { inputs[input] = facts }
      let text = parts[1]
      switch parts[0] {
      case "work": facts.work = text
      case "run": facts.run = text
      case "continues": facts.continued.insert(text)
      case "sent":
        let entry = parts.count > 2 ? Int64(parts[2]) : nil
        let row = Row(input: input, mark: text, run: entry == nil ? nil : facts.run, entry: entry)
        open[row.digest, default: []].append(row)
        facts.rows += 1
      case "accepted":
        let place = open[Row(input: input, mark: text).digest]?.firstIndex { $0.input == input && $0.mark == text }
        if let place { open[Row(input: input, mark: text).digest]?[place].isAccepted = true }
      case "done", "failed":
        let entry = parts.count > 3 ? Int64(parts[3]) : nil
        var row = Row(input: input, mark: text)
        if let sent = close(row, entry) { row = sent } else { facts.rows += 1 }
        if parts[0] == "failed" {
          facts.rows -= 1
        } else {
          row.id = parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil
          done[row.digest, default: []].append(row)
        }
      default: break
      }
    }

    /// Removes an open row with this mark, and with this entry if one is given.
    private mutating func close(_ row: Row, _ entry: Int64?) -> Row? {
      let index = open[row.digest]?.firstIndex {
        $0.input == row.input && $0.mark == row.mark && (entry == nil || $0.entry == entry)
      }
      guard let index else { return nil }
      let sent = open[row.digest]?.remove(at: index)
      if open[row.digest]?.isEmpty == true { open[row.digest] = nil }
      return sent
    }

    // MARK: Rows

    var isEmpty: Bool { done.isEmpty && open.isEmpty }
    /// The numbers of rows that are done, and of those with unknown outcomes.
    var counts: (done: Int, open: Int) {
      (done.values.reduce(0) { $0 + $1.count }, open.values.reduce(0) { $0 + $1.count })
    }
    /// The identifiers of records known to be created by the runs, escaped for a line.
    var ids: Set<String> { Set(done.values.joined().compactMap(\.id)) }

    func only(_ isMeant: (String) -> Bool) -> Past {
      var some = self
      some.done = done.mapValues { rows in rows.filter { isMeant($0.input) } }.filter { !$0.value.isEmpty }
      some.open = open.mapValues { rows in rows.filter { isMeant($0.input) } }.filter { !$0.value.isEmpty }
      some.inputs = inputs.filter { isMeant($0.key) }
      return some
    }

    /// Removes a created row: one of this input with one of these marks, otherwise one of another input with the same
    /// content.
    mutating func takeDone(_ marks: [String], of input: String) -> Row? { Self.take(marks, of: input, from: &done) }

    /// Removes a row with an unknown outcome in the same way.
    mutating func takeOpen(_ marks: [String], of input: String) -> Row? { Self.take(marks, of: input, from: &open) }

    private static func take(_ marks: [String], of input: String, from rows: inout [String: [Row]]) -> Row? {
      for mark in marks {
        let digest = Row(input: input, mark: mark).digest
        guard let some = rows[digest] else { continue }
        let index = some.firstIndex { $0.input == input && $0.mark == mark } ?? some.firstIndex { $0.input != input }
        if let index { return rows[digest]?.remove(at: index) }
      }
      return nil
    }

    // MARK: Lines

    /// The rows as lines of a file.
    var lines: [String] {
      var lines: [String] = []
      for (input, facts) in inputs.sorted(by: { $0.key < $1.key }) {
        lines.append("input\t\(input)")
        if let work = facts.work { lines.append("work\t\(work)") }
        lines += facts.continued.sorted().map { "continues\t\($0)" }
        var run: String?
        func add(_ row: Row, _ line: String) {
          if let own = row.run, own != run {
            lines.append("run\t\(own)")
            run = own
          }
          lines.append(line)
        }
        for row in done.values.joined() where row.input == input {
          let entry = row.entry.map { String($0) } ?? ""
          add(row, "sent\t\(row.mark)\t\(entry)")
          lines.append("done\t\(row.mark)\t\(row.id ?? "")\t\(entry)")
        }
        for row in open.values.joined() where row.input == input {
          add(row, "sent\t\(row.mark)\t\(row.entry.map { String($0) } ?? "")")
          if row.isAccepted { lines.append("accepted\t\(row.mark)") }
        }
      }
      return lines
    }
  }
}
