enum BaasicBody {
  static func json(_ request: DemoRequest) throws(BaasicProblem) -> DemoJSON {
    do {
      return try DemoJSON(parsing: request.body)
    } catch {
      throw BaasicProblem(400, "The request body is not valid JSON.", details: "\(error)")
    }
  }

  static func object(_ request: DemoRequest) throws(BaasicProblem) -> DemoJSON {
    let value = try json(request)
    guard value.members != nil else { throw BaasicProblem(400, "The request body must be a JSON object.") }
    return value
  }
}
