import Testing

@Suite("Baasic: users, roles, permissions and access lists")
struct BaasicMembershipTests {
  @Test(arguments: rows) func members(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # users are found by name and id, without passwords, and with roles if these are embedded
    GET /users  < 200  .item.*.userName ["ana","bo"]  .item.*.password none  .item.*.roles [[],[]]  id := .item.0.id
    GET /users/?embed=roles  < 200  .item.*.roles [["Administrators"],["Readers"]]
    GET /users/{id}  < 200  .userName "ana"
    GET /users/nobody  < 404  problem nobody
    # a user is made, replaced, locked and deleted
    POST /users {"userName":"cy","email":"c@e","password":"p","confirmPassword":"p","roles":["Readers"]}  < 201
    POST /users {"userName":"cy","email":"c@e","password":"p","confirmPassword":"p","roles":["Readers"]}
      < 409  problem cy
    POST /users {"userName":"d"}  < 400  problem email
    POST /login/ grant_type=password&username=cy&password=p  Content-Type: {form}  < 201
    PUT /users/cy/lock ""  < 204
    POST /login/ grant_type=password&username=cy&password=p  Content-Type: {form}  < 400  problem locked
    PUT /users/cy/unlock ""  < 204
    PUT /users/cy/change-password {"newPassword":"q"}  < 204
    POST /login/ grant_type=password&username=cy&password=q  Content-Type: {form}  < 201
    PUT /users/cy {"userName":"cy","email":"x@e"}  < 204
    GET /users/cy?embed=roles  < 200  .email "x@e"  .roles []
    PUT /users/cy {"email":"x@e","roles":["Nobodies"]}  < 400  problem Nobodies
    DELETE /users/cy ""  < 204
    DELETE /users/cy ""  < 404  problem cy
    # roles are at both addresses
    each PATH  /lookups/roles  /roles
    start
    GET {PATH}  < 200  .item.*.name ["Administrators","Readers","Anonymous"]
    POST {PATH} {"name":"Editors"}  < 201  id := .id
    POST {PATH} {"name":"Editors"}  < 409  problem
    PUT {PATH}/{id} {"name":"Authors"}  < 204
    GET {PATH}/{id}  < 200  .name "Authors"
    DELETE {PATH}/{id} ""  < 204
    GET {PATH}/{id}  < 404  problem
    # what Anonymous is granted in the section of a schema is done without a login
    each GRANT  {"section":"todo","role":"Anonymous","actions":[{"abrv":"Read"},{"abrv":"Create"}]}
    start --set baasic.anonymous=403
    POST /login/ {ana}  Content-Type: {form}  < 201  token := .access_token
    GET /resources/todo  < 403  problem
    POST /permissions {GRANT}  < 403  problem
    POST /permissions/ {GRANT}  Authorization: bearer {token}  < 201
    GET /permissions/sections/todo/  Authorization: bearer {token}  < 200  .item #1  .item.0.role "Anonymous"
    GET /resources/todo  < 200
    POST /resources/todo {"title":"x"}  < 200
    DELETE /resources/todo/x ""  < 403  problem
    DELETE /permissions/sections/todo/actions/Read/roles/Anonymous/  Authorization: bearer {token}  < 204
    DELETE /permissions/sections/todo/actions/Read/roles/Anonymous/  Authorization: bearer {token}  < 404  problem
    GET /resources/todo  < 403  problem
    GET /permissions/sections  Authorization: bearer {token}  < 200
      = ..."abrv":"todo"...  = ..."abrv":"ResourceSchema"...
    # a list is read, added to and taken from, and goes with its record
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo/{id}/acl/  < 200  .*.action.name ["Create","Delete","Read","Update"]  .*.user.name []
      .*.role.name ["Administrators","Administrators","Administrators","Administrators"]
    PUT /resources/todo/{id}/acl [{"actionId":"Read","userId":"bo"}]  < 201  . #1
      .0.action.name "Read"  .0.user.name "bo"  .0.role.name none
    GET /resources/todo/{id}/acl  < 200  .*.action.name ["Create","Delete","Read","Update","Read"]
      .*.role.name ["Administrators","Administrators","Administrators","Administrators"]
      .*.user.name ["bo"]  .4.user.name "bo"  .4.role.name none
    DELETE /resources/todo/{id}/acl/actions/Read/users/bo/ ""  < 204  =
    DELETE /resources/todo/{id}/acl/actions/Delete/roles/Administrators ""  < 204
    GET /resources/todo/{id}/acl  < 200  . #3
    DELETE /resources/todo/{id} ""  < 204
    GET /resources/todo/{id}/acl  < 404  problem {id}
    # what is not a policy, and whom nobody knows, is refused
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    PUT /resources/todo/{id}/acl {BODY}  < 400  problem  for BODY  {"actionId":"Read","roleId":"Readers"}  []
      [{"actionId":"Read"}]  [{"roleId":"Readers"}]  [{"actionId":"Fly","roleId":"Readers"}]
    POST /resources/todo/{id}/acl []  < 405  problem
    {M} /resources/todo/{id}/acl/actions{PATH} ""  < 404  problem
      for M PATH  DELETE /Read/roles/Readers  DELETE /Read/groups/x  GET ""
    """#)
}
