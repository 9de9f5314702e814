import BackendKit
import Testing

/// The messages that are found in failures of undescribed form.
@Suite("Refusals in the forms of frameworks") struct RefusalDocumentTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var document: String
    var words: String?
    var fields: [String]
    /// The path to the messages, `$` for the document; nil if no path leads there.
    var place: String?
    var testDescription: String { name }

    init(_ name: String, _ document: String, words: String? = nil, at place: String? = nil, _ fields: String...) {
      (self.name, self.document, self.words, self.fields, self.place) = (name, document, words, fields, place)
    }
  }

  static let forms = [
    Form(
      "WordPress, missing",
      #"{"code":"rest_missing_callback_param","message":"Missing parameter(s): name, kind","data":{"status":400,"params":["name","kind"]}}"#,
      words: "Missing parameter(s): name, kind", at: "data.params", "name: is missing", "kind: is missing"),
    Form(
      "WordPress, invalid",
      #"{"code":"rest_invalid_param","message":"Invalid parameter(s): kind","data":{"status":400,"params":{"kind":"kind is not one of a, b."},"details":{"kind":{"code":"rest_not_in_enum","message":"kind is not one of a, b.","data":null}}}}"#,
      words: "Invalid parameter(s): kind", at: "data.params", "kind: kind is not one of a, b."),
    Form(
      "a list of names", #"{"error":"bad request","missing_fields":["name"]}"#, words: "bad request",
      at: "missing_fields", "name: is missing"),
    Form(
      "names that are unknown", #"{"message":"no","unknown":["nmae"]}"#, words: "no", at: "unknown", "nmae: is unknown"),
    Form(
      "Hapi",
      #"{"statusCode":400,"error":"Bad Request","message":"\"name\" is required","validation":{"source":"payload","keys":["name"]}}"#,
      words: #""name" is required"#, at: "validation.keys", "name: is missing"),
    Form(
      "Salesforce", #"[{"message":"Required fields are missing","errorCode":"REQUIRED","fields":["Name"]}]"#,
      words: "Required fields are missing", "Name: is missing"),
    Form(
      "RFC 9457, invalid-params",
      #"{"type":"about:blank","title":"Invalid","invalid-params":[{"name":"name","reason":"must not be empty"}]}"#,
      words: "Invalid", at: "invalid-params", "name: must not be empty"),
    Form(
      "RFC 9457, pointers",
      ##"{"title":"Invalid","status":422,"errors":[{"detail":"must be positive","pointer":"#/size"},{"detail":"too long","pointer":"#/owner/first~1last"}]}"##,
      words: "Invalid", at: "errors", "size: must be positive", "owner.first/last: too long"),
    Form(
      "FastAPI", #"{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}"#,
      at: "detail", "name: Field required"),
    Form(
      "Django Ninja", #"{"detail":[{"loc":["body","payload","name"],"msg":"Field required","type":"missing"}]}"#,
      at: "detail", "name: Field required"),
    Form(
      "Rails", #"{"errors":{"name":["can't be blank"],"base":["is locked"]}}"#, words: "is locked", at: "errors",
      "name: can't be blank"),
    Form(
      "Rails, bare", #"{"name":["can't be blank","is too short"]}"#, at: "$", "name: can't be blank",
      "name: is too short"),
    Form(
      "Rails, full messages", #"{"errors":{"name":["can't be blank"],"full_messages":["Name can't be blank"]}}"#,
      words: "Name can't be blank", at: "errors", "name: can't be blank"),
    Form("Rails, sentences", #"{"errors":["Name can't be blank"]}"#, words: "Name can't be blank"),
    Form(
      "Django REST",
      #"{"name":["This field is required."],"non_field_errors":["ends before it starts"],"owner":{"city":["Too long."]},"tags":[{},{"text":["Too short."]}]}"#,
      words: "ends before it starts", at: "$", "name: This field is required.", "owner.city: Too long.",
      "tags.1.text: Too short."),
    Form(
      "Django REST, a field called message", #"{"message":["This field is required."]}"#, at: "$",
      "message: This field is required."),
    Form(
      "Spring",
      #"{"timestamp":"2026-11-01","status":400,"error":"Bad Request","message":"Validation failed","errors":[{"objectName":"thing","field":"name","rejectedValue":null,"defaultMessage":"must not be blank","code":"NotBlank"}],"path":"/things"}"#,
      words: "Validation failed", at: "errors", "name: must not be blank"),
    Form(
      "Spring, ProblemDetail",
      #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"Invalid request content.","instance":"/things"}"#,
      words: "Invalid request content."),
    Form(
      "ASP.NET",
      #"{"title":"One or more validation errors occurred.","status":400,"errors":{"$.size":["not a number"]}}"#,
      words: "One or more validation errors occurred.", at: "errors", "$.size: not a number"),
    Form(
      "Laravel", #"{"message":"The given data was invalid.","errors":{"name":["The name is required."]}}"#,
      words: "The given data was invalid.", at: "errors", "name: The name is required."),
    Form(
      "GitHub",
      #"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"name","code":"missing_field"},{"resource":"Issue","field":"kind","code":"custom","message":"kind is odd"}]}"#,
      words: "Validation Failed", at: "errors", "name: missing_field", "kind: kind is odd"),
    Form(
      "JSON:API",
      #"{"errors":[{"status":"422","source":{"pointer":"/data/attributes/name"},"title":"Invalid","detail":"is taken"}]}"#,
      at: "errors", "name: is taken"),
    Form(
      "JSON:API, without a field", #"{"errors":[{"status":"403","title":"Forbidden","detail":"for admins only"}]}"#,
      words: "for admins only"),
    Form(
      "NestJS",
      #"{"statusCode":400,"message":["name should not be empty","size must be a number"],"error":"Bad Request"}"#,
      words: "name should not be empty; size must be a number"),
    Form(
      "Strapi",
      #"{"data":null,"error":{"status":400,"name":"ValidationError","message":"invalid","details":{"errors":[{"path":["name"],"message":"name must be unique","name":"ValidationError"}]}}}"#,
      words: "invalid", at: "error.details.errors", "name: name must be unique"),
    Form(
      "Google",
      #"{"error":{"code":400,"message":"invalid","details":[{"@type":"BadRequest","fieldViolations":[{"field":"name","description":"is required"}]}]}}"#,
      words: "invalid", "name: is required"),
    Form("marshmallow", #"{"message":{"name":["Unknown field."]}}"#, at: "message", "name: Unknown field."),
    Form(
      "PocketBase",
      #"{"status":400,"message":"Failed.","data":{"name":{"code":"required","message":"Cannot be blank."}}}"#,
      words: "Failed.", at: "data", "name: Cannot be blank."),
    Form("JSend", #"{"status":"fail","data":{"name":"A name is required"}}"#, at: "data", "name: A name is required"),
    Form(
      "a record beside the message", #"{"message":"locked","data":{"id":1,"name":"tea","tags":["a","b"]}}"#,
      words: "locked"),
    Form(
      "CakePHP", #"{"message":"invalid","errors":{"name":{"_empty":"cannot be empty"}}}"#, words: "invalid",
      at: "errors", "name: cannot be empty"),
    Form(
      "Mongoose",
      #"{"message":"failed","errors":{"name":{"message":"Path `name` is required.","kind":"required","path":"name"}}}"#,
      words: "failed", at: "errors", "name: Path `name` is required."),
    Form(
      "one error with its field",
      #"{"error":{"message":"Missing required param: name.","param":"name","code":"parameter_missing"}}"#,
      words: "Missing required param: name.", "name: Missing required param: name."),
    Form("a kind of failure", #"{"error":{"type":"x","message":"no such zone"}}"#, words: "no such zone"),
  ]

  @Test("the message and those on fields are found", arguments: forms)
  func read(_ form: Form) throws {
    let document = try JSONReader.read(form.document)
    let refusal = RefusalDocument(document, known: ["id", "name", "kind", "size"])
    #expect(refusal.words == form.words)
    #expect(refusal.fields.map { "\($0.field): \($0.message)" } == form.fields)
    #expect(refusal.place.map { $0.place.isEmpty ? "$" : $0.place.joined(separator: ".") } == form.place)
  }

  @Test("without known fields a parameter's name stays before that of the field") func unknown() throws {
    let document = try JSONReader.read(#"{"detail":[{"loc":["body","payload","name"],"msg":"Field required"}]}"#)
    #expect(RefusalDocument(document).fields == [FieldMessage("payload.name", "Field required")])
  }
}
