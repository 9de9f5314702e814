import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

struct BackendText {
  let backend: OpenBackend
  let description: BackendDescription
  /// A word that names or groups of the resources contain; nil for all resources.
  var search: String?
  /// The width of the window, to which lists are cut; nil to show them whole.
  var width: Int?

  var head: [[String]] {
    var head = [
      ["backend", "\(backend.client.name) (\(backend.plugin.name) \(backend.plugin.version))"],
      ["address", backend.connection.address],
    ]
    if let login = backend.login { head.append(["login", login.summary]) }
    if let product = description.product { head.append(["product", product]) }
    if let version = description.apiVersion { head.append(["api version", version]) }
    return head
  }

  var text: EscapedText {
    var head = head
    if let note = description.note { head.append(["note", note]) }
    let rows = found.map { resource in
      [resource.name, resource.fields.map(\.name).joined(separator: ", ")]
    }
    let end = description.isOpen ? "more may exist; " : ""
    let listed = rows.isEmpty ? "" : Columns.table([["RESOURCE", "FIELDS"]] + rows, width: width)
    return Columns.text(head) + "\n" + listed + documented
      + "\(end)describe \(backend.client.name)/RESOURCE shows one in detail\n"
  }

  private func isFound(_ texts: String?...) -> Bool {
    guard let word = search?.lowercased() else { return true }
    return texts.contains { $0?.lowercased().contains(text: word) == true }
  }

  private var found: [ResourceDescription] { description.resources.filter { isFound($0.name) } }

  private var outlines: [ResourceOutline] {
    (description.outlined?.outlines ?? []).filter { isFound($0.name, $0.group) }
  }

  /// The resources that only the document of the service describes: those that were searched, else their groups.
  private var documented: EscapedText {
    if outlines.isEmpty { return found.isEmpty && search != nil ? "no resource is called so\n" : "" }
    guard search == nil else {
      return Columns.text(
        [["IN ITS DOCUMENT", "GROUP", "WRITTEN"]]
          + outlines.map { [$0.name, $0.group ?? "", description.form(of: $0.name) ?? $0.name] })
    }
    var groups: [(name: String, resources: [String])] = []
    var places: [String: Int] = [:]
    for outline in outlines {
      let name = outline.group ?? ""
      let place = places[name] ?? groups.count
      if place == groups.count { groups.append((name, [])) }
      places[name] = place
      groups[place].resources.append(outline.name)
    }
    let rows = groups.map { group in
      [group.name, "\(group.resources.count)", group.resources.joined(separator: ", ")]
    }
    return "\n" + Columns.table([["IN ITS DOCUMENT", "", "RESOURCES"]] + rows, width: width)
      + "describe \(backend.client.name) ~WORD finds those whose name or group contains a word\n"
  }

  var headFacts: [(String, any Fact)] {
    [
      ("backend", backend.client.name), ("plugin", backend.plugin.name), ("pluginVersion", backend.plugin.version),
      ("address", backend.connection.address), ("login", backend.login?.kindName), ("product", description.product),
      ("apiVersion", description.apiVersion),
    ]
  }

  var resourceFacts: [(String, any Fact)] {
    [("resources", found.map(\.name)), ("hasOtherResources", description.isOpen), ("note", description.note)]
  }

  /// All facts, for programs.
  var facts: Object {
    let outlines = outlines.map { outline in
      Object(facts: [("name", outline.name), ("group", outline.group), ("owners", outline.owners)])
    }
    return Object(facts: headFacts + resourceFacts + [("documented", outlines.isEmpty ? nil : outlines)])
  }
}
