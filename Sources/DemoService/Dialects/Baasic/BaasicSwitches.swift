enum BaasicSwitches {
  static let all = finding + writing + sessions + errors

  private static let finding = [
    Switch(
      name: "baasic.empty", values: .oneOf(["page", "nocontent"]), standard: "page",
      help: "what a list without records is: a page with none, or 204"),
    Switch(
      name: "baasic.maxrpp", values: .number(0...1_000_000), standard: "0",
      help: "the largest page there is, whatever is asked for; 0: any"),
    Switch(
      name: "baasic.hal", values: .oneOf(["embedded", "toplevel"]), standard: "embedded",
      help: "where application/hal+json has the records of a page: _embedded.item, or item"),
    Switch(
      name: "baasic.dates", values: .oneOf(["kept", "reformatted"]), standard: "kept",
      help: "reformatted: texts that look like ISO 8601 are sent as yyyy-MM-ddTHH:mm:ssZ"),
  ]

  private static let writing = [
    Switch(
      name: "baasic.ids", values: .oneOf(["counted", "random"]), standard: "counted",
      help: "a new record's identifier: the same for the same insertions into the same data, or by chance"),
    Switch(
      name: "baasic.insert", values: .oneOf(["200", "201"]), standard: "200", help: "the status of an insertion"),
    Switch(
      name: "baasic.patch", values: .oneOf(["204", "200", "405"]), standard: "204",
      help: "what PATCH answers: 204, 200 and the record, or 405 and nothing is changed"),
    Switch(
      name: "baasic.chunked", values: .oneOf(["411", "400"]), standard: "411",
      help: "what a chunked request body is refused with"),
    Switch(
      name: "baasic.conflict", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: insertions, updates and patches of records meet a conflict, 409"),
    Switch(
      name: "baasic.bulk", values: .oneOf(["refused", "enabled"]), standard: "refused",
      help: "purge, batch and the parameter query on writes: 403, or carried out, where query is passed over"),
    Switch(
      name: "baasic.stamps", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: records get dateCreated and dateUpdated when they are seeded or written"),
  ]

  private static let sessions = [
    Switch(
      name: "baasic.anonymous", values: .oneOf(["allowed", "401", "403"]), standard: "allowed",
      help: "what calls without a token may do: everything, or nothing"),
    Switch(
      name: "baasic.login", values: .oneOf(["201", "200", "error"]), standard: "201",
      help: "the status of a login; error: 200 with an error in place of the token"),
    Switch(
      name: "baasic.lifetime", values: .number(0...10_000_000), standard: "7200",
      help: "for how many seconds a login, or a call with a sliding token, makes the token good"),
    Switch(
      name: "baasic.lock", values: .number(0...1000), standard: "5",
      help: "after so many wrong passwords in a row a user is locked; 0: never"),
    Switch(
      name: "baasic.tokenerror", values: .oneOf(["details", "header", "oauth"]), standard: "details",
      help: "how a 401 names its cause: details in the body, WWW-Authenticate, or error and error_description"),
  ]

  private static let errors = [
    Switch(
      name: "baasic.failure", values: .oneOf(["no", "yes"]), standard: "no", help: "yes: every request fails with 500"),
    Switch(
      name: "baasic.schemas", values: .oneOf(["allowed", "403", "404"]), standard: "allowed",
      help: "what becomes of calls for the schemas themselves; 403 for a user without permission"),
    Switch(
      name: "baasic.errors", values: .oneOf(["json", "textstatus", "empty", "html"]), standard: "json",
      help: "the body of an error: JSON, the same with statusCode as text, none, or a page"),
  ]
}
