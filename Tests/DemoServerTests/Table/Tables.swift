extension Table {
  /// Targets with the name of a dialect, or with none.
  static let server = Table()
}

extension Table {
  /// Announcements, as a Grails application serves them.
  static let grails = Table(
    dialect: "grails",
    answers: [
      "json": #"Content-Type: application/json;charset=UTF-8"#,
      "noRoute": #"404  json  = {"message":"Not Found","error":404}"#,
      "gone": #"404  Content-Length: 0  ="#,
      "refused": #"422  json  .message string  .path string  ._links.self.href string  .errors none"#,
      "failed": #"500  json  = {"message":"Internal server error","error":500}"#,
    ])
}

extension Table {
  /// Todos, as a Kitura server serves them; none are there at the start.
  static let kitura = Table(
    dialect: "kitura", options: "--seed 0",
    answers: [
      "bare": #"Content-Type:  Content-Length: 0  ="#,
      "plain": #"Content-Type:"#,
      "welcome": #"200  Content-Type: text/html  = ...<html>..."#,
    ])

  /// The calls of the public suite for to-do back ends.
  static let todoBackend = Table(
    dialect: "kitura", options: "--seed 0 --set kitura.url=own",
    headers: ["Content-Type: application/json", "Origin: http://example.org"],
    answers: [
      "open": #"Access-Control-Allow-Origin: *"#
    ])
}

extension Table {
  /// The records of JSONPlaceholder, and what json-server makes of a file of one's own.
  static let jsonPlaceholder = Table(
    dialect: "jsonplaceholder",
    answers: [
      "json": #"Content-Type: application/json; charset=utf-8"#,
      "nothing": #"404  json  = {}"#,
      "page": #"Content-Type: text/html; charset=utf-8  not JSON"#,
      "failure": #"500  page"#,
    ])
}

extension Table {
  /// Resources by schemas, users and sessions, as Baasic has them.
  static let baasic = Table(
    dialect: "baasic", type: "application/json; charset=UTF-8",
    values: [
      "form": #"application/x-www-form-urlencoded; charset=UTF-8"#,
      "ana": #"grant_type=password&username=ana&password=correct+horse"#,
      "bo": #"grant_type=password&username=bo&password=battery+staple"#,
    ],
    answers: [
      "json": #"Content-Type: application/json; charset=utf-8"#,
      "hal": #"Content-Type: application/hal+json; charset=utf-8"#,
      "problem": #"layout  .statusCode {status}  .message !=  .message = ...{part}..."#,
      "layout": #"json  . keys message details error errorCode response statusCode"#,
    ])
}
