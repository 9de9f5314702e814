import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files

extension BrowseModel {
  /// Takes a key that marks or edits, or any other.
  mutating func takeEditing(_ key: ScreenKey) -> Effect? {
    if range != nil, [.character("e"), .character("d"), .character("x"), .delete].contains(key) {
      markRange()
      message = nil
    }
    switch key {
    case .character(" ") where count > 0:
      lists.marks[row - edits.new.count].toggle()
      if row + 1 < count { row += 1 }
    case .character("v") where count > 0: markRange()
    case .character("*"): markAll()
    case .character("e"): beginEdit()
    case .delete: clear()
    case .character("E"):
      guard isAllowed(.update) else { say("records of \(resource.name) cannot be changed"); break }
      if let record = record(ofRow: row), record.id != nil { return .openEditor(record) }
      say("the editor opens only records that exist")
    case .character("d"): delete()
    case .character("o"):
      guard isAllowed(.create) else { say("records of \(resource.name) cannot be created"); break }
      guard let record = record(ofRow: row) else { break }
      if record.unloaded.contains(where: isCopied), record.id != nil, isAllowed(.get) { return .copy(record) }
      duplicate(record)
    case .character("x"): takeBack()
    case .character("p") where !edits.isEmpty: return .preview
    case .character("w") where !edits.isEmpty: return .send
    case .character("p"), .character("w"): say("nothing is edited")
    case .character("u"):
      if edits.isEmpty { return .undo }
      say("send or take back the edits first")
    default: return take(key)
    }
    return nil
  }

  // MARK: Marks

  private mutating func markRange() {
    guard let begin = range.take() else { return range = row }
    for row in min(begin, row)...max(begin, row) { lists.marks[row - edits.new.count] = true }
    say("\(counted(marks.count, "record")) marked")
  }

  private mutating func markAll() {
    guard marks.count < list.count else { return lists.unmark() }
    for row in 0..<list.count { lists.marks[row] = true }
    let isPart = list.end == nil
    say("\(counted(marks.count, "record")) marked\(isPart ? " of those read so far; End reads all" : "")")
  }

  /// The rows of the list that an edit applies to: the marked ones, otherwise that of the cursor.
  private mutating func chosen() -> [Int]? {
    guard marks.count <= BrowseEdits.most else {
      say("more than \(BrowseEdits.most.grouped) records are edited by update --where or delete --where")
      return nil
    }
    guard lists.absentMarks == 0 || isWhole && !marks.isEmpty else {
      let how = isWhole ? "in this list" : "read yet: End reads all"
      say("\(counted(lists.absentMarks, "marked record")) not \(how); Escape takes the marks back")
      return nil
    }
    return marks.isEmpty ? [row - edits.new.count] : Array(marks.rows)
  }

  /// Edits the chosen records; tells how many cannot be.
  private mutating func each(_ body: (inout BrowseEdits, Record) throws(BackendError) -> Void) {
    guard let rows = chosen() else { return }
    var unnamed = 0
    do throws(BackendError) {
      for row in rows {
        guard let record = list.record(at: row), record.id != nil else {
          unnamed += 1
          continue
        }
        if edits.count >= BrowseEdits.most { throw .invalid("more than \(BrowseEdits.most.grouped) edits") }
        try body(&edits, record)
      }
    } catch { return say("\(error.message)") }
    if unnamed > 0 { say("\(counted(unnamed, "record")) without identifier cannot be edited") }
  }

  // MARK: Edits

  private func isAllowed(_ operation: Capabilities.Operation) -> Bool {
    resource.capabilities.operations.contains(operation)
  }

  private mutating func delete() {
    if marks.isEmpty, edits.new.indices.contains(row) { return edits.drop(new: row) }
    guard isAllowed(.delete) else { return say("records of \(resource.name) cannot be deleted") }
    guard let rows = chosen() else { return }
    let isTakenBack = rows.allSatisfy { edits[list.record(at: $0)?.id]?.isDeletion == true }
    each { (edits, record) throws(BackendError) in try edits.delete(!isTakenBack, record) }
  }

  private mutating func takeBack() {
    if marks.isEmpty, edits.new.indices.contains(row) { return edits.drop(new: row) }
    each { (edits, record) throws(BackendError) in if let id = record.id { edits.drop(id) } }
  }

  private func isCopied(_ name: String) -> Bool {
    let field = resource.field(named: name)
    return name != resource.identifier.field && field?.takesValues != false && field?.holdsSecret != true
      && !isSecret(name)
  }

  /// Makes a new record with the values of one, as they are edited.
  mutating func duplicate(_ record: Record) {
    let left = record.unloaded.filter(isCopied)
    if record.id != nil { copied = row - edits.new.count }
    edits.create(Object(edits.edited(record).fields.members.filter { isCopied($0.0) }))
    (row, top, range) = (0, 0, nil)
    if !left.isEmpty { say("not loaded, and so not copied: \(left.joined(separator: ", "))") }
  }

  /// The description of the cursor's field.
  private var field: FieldDescription? { path.flatMap { resource.field(named: $0.text) } }

  /// The first row that an edit applies to.
  private var editedRow: Int { marks.rows.first { _ in true }.map { $0 + edits.new.count } ?? row }

  /// The value that the cursor's field has there, or is to have.
  private var present: Value? {
    guard let path, let record = record(ofRow: editedRow) else { return nil }
    return edits.value(of: path.text, in: record.id) ?? record.fields[path.text]
  }

  /// The reason why the cursor's field cannot be edited here, as a clause; nil if it can.
  private var obstacle: EscapedText? {
    guard let path, let record = record(ofRow: editedRow) else { return "there is no record" }
    let isNew = edits.new.indices.contains(editedRow)
    if !isNew, !isAllowed(.update) { return "records of \(resource.name) cannot be changed" }
    if path.text == resource.identifier.field { return "\(path) is the identifier" }
    if field?.refusesWrites == true { return "\(path) is read-only: only the server sets it" }
    if field?.holdsSecret == true { return "\(path) is a secret; update sets it" }
    if field == nil, path.isNested { return "\(path) is a part of a field; E edits the whole record" }
    if record.unloaded.contains(path.text) { return "\(path) is not loaded; E edits the whole record" }
    if edits[record.id]?.isDeletion == true { return "the record is to be deleted" }
    return nil
  }

  private mutating func beginEdit() {
    if let obstacle { return say(obstacle) }
    if let field, !field.values.isEmpty {
      mode = .choice(field.values, place: field.values.firstIndex { $0 == present } ?? 0)
    } else if field?.kind == .boolean || present?.bool != nil {
      let isNumber = present?.integer != nil
      let new = !(present?.truth ?? false)
      change(to: isNumber ? .int(new ? 1 : 0) : .bool(new))
    } else {
      let text = present.map { $0 == .null ? "" : $0.plainText } ?? ""
      guard text.utf8.count <= 10_000 else { return say("the value is too long for a line; E opens the editor") }
      mode = .typing(InputLine(text), .value)
    }
  }

  mutating func takeChoice(_ key: ScreenKey, _ values: [Value], _ place: Int) {
    switch key {
    case .left, .up, .backTab: mode = .choice(values, place: (place + values.count - 1) % values.count)
    case .right, .down, .tab, .character("e"), .character(" "):
      mode = .choice(values, place: (place + 1) % values.count)
    case .enter:
      guard chosen() != nil else { break }
      mode = .rows
      change(to: values[place])
    case .escape, .control("c"): mode = .rows
    default: break
    }
  }

  /// Takes a typed value as `update FIELD=TEXT` does; a wrong one stays in the line.
  mutating func takeValue(_ text: String) {
    guard let path else { return }
    do throws(UsageError) {
      let value = try Assignments.value(
        answered: text, field.flatMap { $0.kind == .any ? nil : $0 } ?? alike(path.text))
      if let complaint = complaint(about: value) { return say("\(complaint)") }
      guard chosen() != nil else { return }
      mode = .rows
      change(to: value)
    } catch {
      var error = error
      let isMissing = error.hint == nil || text == "null"
      if isMissing, complaint(about: .null) == nil { error.hint = "Escape, then Delete sets null" }
      say("\(error.sentence)")
    }
  }

  private func complaint(about value: Value) -> String? {
    field?.proved.kindComplaint(about: value) ?? field?.proved.complaint(about: value)
  }

  /// Sets the field to null, or to an empty text if it cannot be null.
  private mutating func clear() {
    if let obstacle { return say(obstacle) }
    guard let complaint = complaint(about: .null) else { return change(to: .null) }
    if self.complaint(about: "") == nil { change(to: "") } else { say("\(complaint)") }
  }

  /// A field without a described type, which keeps that of its value.
  private func alike(_ name: String) -> FieldDescription {
    let kind: FieldDescription.Kind =
      switch present {
      case .number?: .number
      case .array?: .list
      case .object?: .object
      default: .any
      }
    var field = FieldDescription(name, kind)
    field.likely = [.type]
    return field
  }

  private mutating func change(to value: Value) {
    guard let path else { return }
    if marks.isEmpty, edits.new.indices.contains(row) { return edits.set(path.text, value, new: row) }
    let change = resource.asKept(.set(path.text, value))
    each { (edits, record) throws(BackendError) in try edits.set(change, in: record) }
  }
}
