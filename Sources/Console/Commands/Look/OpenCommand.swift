import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let open = Command(
    "open", .look, "Open a link of the last record shown, or its HTML, in the browser",
    arguments: [.optional(.either([.number, .field]))], effects: .runsPrograms,
    details: [
      "N is the number of a link in an HTML field; FIELD is a field with an address, or an HTML field. The program in BROWSER opens",
      "it (default: xdg-open). Only http, https and mailto addresses are opened, mailto without parameters; https is the default.",
      "An HTML field is opened as a page without scripts, forms or network access; images and frames that were left out are listed",
      "on the page and in the console. The page is a private file, deleted at the end of the session.",
    ],
    examples: [
      Example(line: "open 2", says: "the link marked [2]"),
      Example(line: "open body", says: "the HTML in the field"),
    ]
  ) { invocation, context in
    // A script that opens windows would be a nuisance, or worse.
    guard context.run.isInteractive, context.results.output.isTerminal else {
      throw UsageError("open works only at a terminal")
    }
    try context.run.endRehearsal()
    guard let last = context.run.lastResult, let record = last.records.first else {
      throw UsageError("no record with links was shown", hint: "get ID shows one")
    }
    guard last.records.count == 1 else {
      throw UsageError("the last command showed several records", hint: "get ID shows one")
    }
    guard let opener = LinkOpener(environment: context.run.console.children) else {
      throw CommandFailure(
        .failure, "no program that opens links is installed", hint: "set BROWSER, or install xdg-open")
    }
    let wanted = invocation.word(.either([.number, .field]))?.text
    if let (name, html) = try record.html(wanted, last) {
      let title = [record.id?.text, name].compactMap(\.self).joined(separator: " ")
      let page = try PrivatePage(
        html, title: title, in: UserFolders(environment: context.run.console.environment).state)
      context.change(.keepPage(page))
      try open(LinkAddress(page), opener, context)
      context.tell(
        "opened \(name) as a page: no scripts, nothing from the network; the page is deleted at the end of the session")
      let loaded = HTMLText.loaded(html)
      if !loaded.isEmpty { context.note("not loaded: \(Escaping.text(loaded.joined(separator: ", ")))") }
      return
    }
    let address = try LinkAddress(try record.address(wanted, last))
    try open(address, opener, context)
    context.tell("opened \(address.text)")
  }

  private static func open(_ address: LinkAddress, _ opener: LinkOpener, _ context: CommandContext) throws {
    guard !opener.open(address, context.run.interruption) else { return }
    throw CommandFailure(
      .failure, "\(opener.words[0]) cannot be started", hint: "set BROWSER to the program that opens links")
  }
}

extension Record {
  /// The HTML field that a word names, with its content; nil if it names none.
  fileprivate func html(_ word: String?, _ result: LastResult) throws(UsageError) -> (field: String, html: String)? {
    guard let word, Int(word) == nil, result.fields.first(where: { $0.name == word })?.kind == .html else { return nil }
    let path = FieldPath(word)
    if case .unloaded = state(of: path) {
      throw UsageError("\(word) of this record is not loaded", hint: "get \(id?.text ?? "ID") loads it")
    }
    return path.value(in: fields)?.text.map { (word, $0) }
  }

  /// The address that a word names: a number a link by its number, another word a field; no word the only link.
  fileprivate func address(_ word: String?, _ result: LastResult) throws(UsageError) -> String {
    let presentation = Presentation(columns: result.columns, fields: result.fields)
    var links: [String] = []
    for path in RecordColumns.choose(presentation, CollectionOfOne(self), onlyPresent: true) {
      guard RecordColumns.kind(of: path, presentation) == .html, let text = path.value(in: fields)?.text else {
        continue
      }
      links += HTMLText.links(text)
    }
    let have =
      links.isEmpty
      ? "the record has no links" : "the record has \(links.count == 1 ? "one link" : "links 1 to \(links.count)")"
    guard let word else {
      guard links.count == 1 else {
        throw UsageError(have, hint: links.isEmpty ? "open FIELD opens an address" : "open N")
      }
      return links[0]
    }
    if let number = Int(word) {
      guard links.indices.contains(number - 1) else { throw UsageError("there is no link \(number)", hint: have) }
      return links[number - 1]
    }
    guard let text = FieldPath(word).value(in: fields)?.text else {
      throw UsageError("the record has no text field \"\(word)\"", hint: have)
    }
    return text
  }
}
