/// Fields that grant rights: a test record with a value there could gain power over the service.
enum Rights {
  private static let words: Set<String> = [
    "acl", "admin", "admins", "administrator", "capabilities", "grant", "grants", "group", "groups", "owner", "owners",
    "permission", "permissions", "policies", "policy", "privilege", "privileges", "rights", "role", "roles", "scope",
    "scopes", "staff", "sudo", "superadmin", "superuser", "usergroup", "usergroups",
  ]

  /// Returns whether a field with this name grants rights: `is_staff`, `isAdmin`, `role`, `ownerId`.
  static func areGranted(by name: String) -> Bool {
    var word = ""
    for character in name + "." {
      if !word.isEmpty, !character.isLetter || character.isUppercase && word.last?.isLowercase == true {
        if words.contains(word.lowercased()) { return true }
        word = ""
      }
      if character.isLetter { word.append(character) }
    }
    return false
  }
}
