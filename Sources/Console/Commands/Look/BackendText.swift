import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

struct BackendText {
  let backend: OpenBackend
  let description: BackendDescription

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
    let rows = description.resources.map { resource in
      [resource.name, SurveyText.cut(resource.fields.map(\.name).joined(separator: ", "), to: 56)]
    }
    let end = description.isOpen ? "more may exist; " : ""
    return Columns.text(head) + "\n" + Columns.text([["RESOURCE", "FIELDS"]] + rows)
      + "\(end)describe \(backend.client.name)/RESOURCE shows one in detail\n"
  }

  var headFacts: [(String, any Fact)] {
    [
      ("backend", backend.client.name), ("plugin", backend.plugin.name), ("pluginVersion", backend.plugin.version),
      ("address", backend.connection.address), ("login", backend.login?.kindName), ("product", description.product),
      ("apiVersion", description.apiVersion),
    ]
  }

  var resourceFacts: [(String, any Fact)] {
    [
      ("resources", description.resources.map(\.name)), ("hasOtherResources", description.isOpen),
      ("note", description.note),
    ]
  }
}
