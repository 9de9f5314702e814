import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleScreen
import ConsoleSystem

extension Browser {
  /// Does what a key asks for; false if that ends everything.
  func carryOut(_ effect: BrowseModel.Effect, on screen: any Screen) async -> Bool {
    switch effect {
    case .read(let isTyping): read(isTyping: isTyping)
    case .show(let record): show(record)
    case .copy(let record): copy(record)
    case .follow(let relation, let name): follow(relation, name)
    case .back: _ = pop()
    case .leave:
      // The edits of each screen are asked about.
      while pop() {
        if model.leave(.leave) == nil { return true }
      }
      return false
    case .preview: return await away(from: screen) { try await self.send(isPreview: true) }
    case .openEditor(let record): return await away(from: screen) { try await self.edit(record) }
    case .undo:
      return await away(from: screen) {
        defer { self.read() }
        try await self.run.nested.aside([Word(text: "undo", isQuoted: false, column: 1)])
      }
    case .send, .keep:
      let then = model.afterwards.take()
      let isBack = await away(from: screen, isLast: { then == .leave && self.levels.count == 1 }) {
        if case .keep(let file) = effect {
          try await self.keep(in: file)
        } else {
          try await self.send(isPreview: false)
        }
      }
      guard isBack, model.edits.isEmpty, let then else { return isBack }
      return await carryOut(then, on: screen)
    }
    return true
  }

  /// Begins to read beside the keys, for something that is done with it.
  private func begin(_ read: sending @escaping () async throws(BackendError) -> @Sendable (Browser) -> Void) {
    model.say("reading …")
    Task { [events = events.continuation] in
      do throws(BackendError) { events.yield(.found(try await read())) } catch { events.yield(.failure(error)) }
    }
  }

  /// Shows a record as `get` does, read whole unless it is new.
  private func show(_ record: Record) {
    let resource = model.resource
    var presentation = RecordOutput(format: .expanded, header: true)
      .presentation(context, resource, isSingle: true)
    (presentation.theme, presentation.width) = (.plain, model.size.columns)
    let id = record.id.flatMap { resource.capabilities.operations.contains(.get) ? $0 : nil }
    let edits = model.edits
    let isNew = edits.new.indices.contains(model.row)
    let obstacle = isNew ? edits.new[model.row].obstacle : edits[record.id]?.obstacle
    let reason =
      obstacle.map { Columns.text([["!", $0]]).fitted(to: model.size.columns).text + "\n" }
      ?? ""
    var title: EscapedText = record.id.map { "\(level.target.description(of: $0))" } ?? "new record"
    if edits[record.id]?.isDeletion == true { title += "  to be deleted" }
    begin { [target = level.target, title] () throws(BackendError) in
      var whole = record
      if let id { whole = try await target.client.get(id, from: target.path) }
      whole.id = record.id
      var text = OutputFormat.expanded.printer(presentation)
      let shown = BrowsedText(title, reason + text.add([edits.compared(whole)]) + text.finish())
      return { $0.model.mode = .text(shown) }
    }
  }

  /// Reads a record whole, as a list may leave out fields, and makes a new one with its values.
  private func copy(_ record: Record) {
    guard let id = record.id else { return }
    begin { [target = level.target, list = model.list] () throws(BackendError) in
      var whole = try await target.client.get(id, from: target.path)
      whole.id = id
      return { [whole] in if $0.model.lists.isCurrent(list) { $0.model.duplicate(whole) } }
    }
  }

  /// Goes to the records that a field refers to.
  private func follow(_ relation: Relation, _ name: RecordID) {
    let target = Target(
      backend: level.target.backend, path: ResourcePath(name: relation.reference.resource))
    begin { [request = model.list.request] () throws(BackendError) in
      let resource = try await target.client.resource(target.path)
      guard let key = relation.reference.key ?? resource.identifier.field else {
        throw .unsupported("\(resource.name) has no field to find \(name) by")
      }
      let condition = Quoting.word("\(key)=\(name)")
      return { $0.push(request, of: target, resource, columns: nil, words: [], condition) }
    }
  }

  // MARK: Away from the screen

  /// Gives the terminal to a command within this one, whose failure it reports; false if it cannot be taken again. An
  /// interruption ends that command only. If that is the last one and leaves no edits, the screen stays closed.
  private func away(
    from screen: any Screen, isLast: () -> Bool = { false }, body: @escaping () async throws -> Void
  ) async -> Bool {
    await screen.close()
    // Safe: this task waits while the other one runs.
    nonisolated(unsafe) let (browser, body) = (self, body)
    await run.interruption.scope {
      do { try await body() } catch {
        let failure = await browser.lastFailure(error)
        browser.reporter.report(failure, file: nil, line: 0)
      }
    }
    reporter.progress?.end()
    results.output.endPage()
    guard Interruption.endingSignal == nil else { return false }
    _ = run.interruption.take()
    if isLast(), model.edits.isEmpty { return true }
    _ = await Questions(context).answer(to: "Enter goes back to the records ")
    return await screen.reopen()
  }
}
