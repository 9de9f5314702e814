"""Flask-AppBuilder with two models and its REST API, as Superset has it. flask_appbuilder_server.py PORT FOLDER"""
import datetime, logging, sys
from flask import Flask
from flask_appbuilder import AppBuilder, Model, ModelRestApi
from flask_appbuilder.utils.legacy import get_sqla_class
from flask_appbuilder.models.sqla.interface import SQLAInterface
from flask_jwt_extended import create_access_token
from sqlalchemy import Boolean, Column, Date, Float, ForeignKey, Integer, String
from sqlalchemy.orm import relationship

port, folder = int(sys.argv[1]), sys.argv[2]
places = ["Zürich", "北京", "Łódź", "São Paulo", "Αθήνα"]
logging.getLogger("werkzeug").setLevel(logging.ERROR)
app = Flask(__name__)
app.config.update(SECRET_KEY="interop-interop-interop-interop", SQLALCHEMY_DATABASE_URI=f"sqlite:///{folder}/desk.db", FAB_ADD_SECURITY_API=True, FAB_API_SWAGGER_UI=True, WTF_CSRF_ENABLED=False, FAB_API_MAX_PAGE_SIZE=100, RATELIMIT_ENABLED=False)
db = get_sqla_class()(app)


class Team(Model):
    __tablename__ = "team"
    id = Column(Integer, primary_key=True)
    name = Column(String(50), unique=True, nullable=False)
    def __repr__(self): return self.name


class Contact(Model):
    __tablename__ = "contact"
    id = Column(Integer, primary_key=True)
    name = Column(String(150), unique=True, nullable=False)
    place = Column(String(80))
    points = Column(Integer)
    rate = Column(Float)
    active = Column(Boolean, nullable=False, default=True)
    born = Column(Date)
    note = Column(String(200))
    team_id = Column(Integer, ForeignKey("team.id"))
    team = relationship("Team")


class TeamApi(ModelRestApi):
    resource_name = "team"
    datamodel = SQLAInterface(Team)


class ContactApi(ModelRestApi):
    resource_name = "contact"
    datamodel = SQLAInterface(Contact)
    list_columns = show_columns = ["id", "name", "place", "points", "rate", "active", "born", "note"]
    add_columns = edit_columns = ["name", "place", "points", "rate", "active", "born", "note"]


with app.app_context():
    builder = AppBuilder(app, db.session)
    builder.add_api(TeamApi)
    builder.add_api(ContactApi)
    db.create_all()
    builder.sm.add_user("ana", "Ana", "A", "ana@example.com", builder.sm.find_role("Admin"), "secret")
    for i in range(1, 4): db.session.add(Team(name=f"team {i}"))
    for i in range(1, 121):
        db.session.add(Contact(name=f"contact {i:03}", place=places[i % 5], points=None if i % 6 == 0 else i * 7 % 31, rate=i / 4, active=i % 3 > 0, born=datetime.date(1980, 1, i % 28 + 1), note=f"note {i}" if i % 4 == 0 else None))
    db.session.commit()
    with app.test_request_context():
        open(folder + "/token", "w").write(create_access_token(identity=str(builder.sm.find_user("ana").id), fresh=True, expires_delta=datetime.timedelta(hours=2)))
app.run(host="127.0.0.1", port=port)
