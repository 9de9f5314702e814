import BackendKit

extension Section {
  /// A section with the keys that its reader declares when given an empty section.
  init(
    _ name: Name, _ help: String, decidedBy key: String? = nil, short: String? = nil,
    read: (SectionNode, inout Service.Resource) -> Any?
  ) {
    self.name = name
    self.help = help
    decidingKey = key
    shortKey = short
    let declared = SectionNode.DeclaredKeys()
    let node = SectionNode(nil, at: Place(file: ""), Reading(), declaring: declared)
    var resource = Service.Resource.blank("")
    _ = read(node, &resource)
    if name.hasSource { SourceFacts(node).declare() }
    keys = declared.keys
  }

  /// A section whose reader returns what it reads.
  init(_ name: Name, _ help: String, short: String? = nil, read: (SectionNode) -> Any?) {
    self.init(name, help, short: short) { node, _ in read(node) }
  }
}
