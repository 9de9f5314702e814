import BackendKit

extension Section {
  /// A section with the keys that are asked for by its reader, which is given a section in which nothing stands.
  init(
    _ name: Name, _ help: String, decidedBy key: String? = nil, short: String? = nil,
    read: (Facts, inout Service.Resource) -> Any?
  ) {
    self.name = name
    self.help = help
    decidingKey = key
    shortKey = short
    let declared = Facts.DeclaredKeys()
    var resource = Service.Resource.blank("")
    _ = read(Facts(name, nil, at: Place(file: ""), Reading(), declaring: declared), &resource)
    keys = declared.keys
  }
}
