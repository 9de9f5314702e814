"""Eve over mongomock. eve_server.py PORT FOLDER"""
import logging, sys
import mongomock, pymongo

pymongo.MongoClient = mongomock.MongoClient
from eve import Eve  # noqa: E402

logging.getLogger("werkzeug").setLevel(logging.ERROR)
app = Eve(settings={
    "MONGO_HOST": "localhost", "MONGO_PORT": 27017, "MONGO_DBNAME": "desk", "PAGINATION_LIMIT": 50,
    "RESOURCE_METHODS": ["GET", "POST", "DELETE"], "ITEM_METHODS": ["GET", "PATCH", "PUT", "DELETE"],
    "DOMAIN": {"tasks": {"schema": {
        "title": {"type": "string", "required": True, "maxlength": 40}, "n": {"type": "integer"},
        "state": {"type": "string", "allowed": ["open", "held", "done"]}, "note": {"type": "string", "nullable": True}}}}})
with app.test_request_context():
    for i in range(1, 46):
        app.test_client().post("/tasks", json={"title": f"task {i:02}", "n": i * 7 % 31, "state": ["open", "held", "done"][i % 3]})
app.run(host="127.0.0.1", port=int(sys.argv[1]))
