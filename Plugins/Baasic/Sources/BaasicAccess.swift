import BackendKit

/// The access list of a record: who may do what with it.
///
/// Routes and bodies as the official clients have them: `DynamicResourceACLRoute` and `IACL` of baasic-sdk-javascript, and
/// `resource-acl-*.md` of baasic-rest-api.
enum BaasicAccess {
  static let actions = [
    Service.Action(
      ActionDescription("acl", effect: .read, note: "who may do what with the record"), method: "GET", path: ["acl"],
      answersList: true),
    Service.Action(
      ActionDescription(
        "grant",
        fields: [
          FieldDescription("actionId", .text, isRequired: true, note: "the identifier that acl shows for an action"),
          FieldDescription("roleId", .text), FieldDescription("userId", .text),
        ], note: "grant an action to a role or a user"), method: "PUT", path: ["acl"], body: .list, answersList: true),
    withdrawal(from: "role", below: "roles"), withdrawal(from: "user", below: "users"),
  ]

  /// The withdrawal of an action from a role or a user, below an access list.
  static func withdrawal(from subject: String, below collection: String) -> Service.Action {
    Service.Action(
      ActionDescription(
        "withdraw-\(subject)",
        fields: [
          FieldDescription("action", .text, isRequired: true, values: ["Create", "Delete", "Read", "Update"]),
          FieldDescription(subject, .text, isRequired: true, note: "its name"),
        ], note: "revoke an action from a \(subject)"), method: "DELETE",
      path: ["acl", "actions", "{action}", collection, "{\(subject)}"])
  }
}
