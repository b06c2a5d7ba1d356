"""pymongo: another driver, written by others, on the same wire: types, bulk writes, cursors, transactions, change streams."""
import datetime
import sys

import pymongo
from bson import Decimal128, Int64, ObjectId, Regex
from pymongo import DeleteOne, InsertOne, MongoClient, UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError, OperationFailure

client = MongoClient(sys.argv[1], tz_aware=True)
client.drop_database("pymongo")
db = client["pymongo"]
things = db["things"]

when = datetime.datetime(2026, 1, 2, 3, 4, 5, 6000, tzinfo=datetime.timezone.utc)
document = {"_id": ObjectId(), "n": 1, "long": Int64(2**60), "x": 1.5, "text": "नमस्ते", "at": when,
            "list": [1, {"a": None}], "decimal": Decimal128("0.10"), "bytes": b"\x00\x01", "re": Regex("^a", "i")}
things.insert_one(document)
assert things.find_one() == document
things.create_index([("n", pymongo.ASCENDING)], unique=True)
try:
    things.insert_one({"n": 1})
    raise AssertionError("a duplicate was stored")
except DuplicateKeyError as error:
    assert error.details["keyValue"] == {"n": 1}

result = things.bulk_write(
    [InsertOne({"n": i}) for i in range(2, 500)]
    + [UpdateOne({"n": 2}, {"$set": {"m": 1}}), UpdateOne({"n": 1000}, {"$set": {"m": 2}}, upsert=True), DeleteOne({"n": 3})])
assert (result.inserted_count, result.modified_count, result.upserted_count, result.deleted_count) == (498, 1, 1, 1)
try:
    things.bulk_write([InsertOne({"n": 1}), InsertOne({"n": 2000})], ordered=False)
    raise AssertionError("a duplicate was stored")
except BulkWriteError as error:
    assert len(error.details["writeErrors"]) == 1 and error.details["nInserted"] == 1

assert [d["n"] for d in things.find({"n": {"$gte": 10}}, sort=[("n", -1)], limit=3, batch_size=2)] == [2000, 1000, 499]
assert things.count_documents({"n": {"$lt": 10}}) == 8
assert sorted(things.distinct("m")) == [1, 2]
assert things.find_one_and_update({"n": 5}, {"$inc": {"n": 5000}}, return_document=True)["n"] == 5005
assert list(things.aggregate([{"$group": {"_id": {"$gte": ["$n", 100]}, "c": {"$sum": 1}}}, {"$sort": {"_id": 1}}]))[0]["c"] == 97

with client.start_session() as session:
    with session.start_transaction():
        things.update_one({"n": 10}, {"$set": {"in": True}}, session=session)
        assert things.find_one({"n": 10}).get("in") is None
    assert things.find_one({"n": 10})["in"] is True

with db.watch([{"$match": {"operationType": "insert"}}], max_await_time_ms=500) as stream:
    db["others"].insert_one({"_id": 7})
    assert next(stream)["documentKey"] == {"_id": 7}

try:
    list(things.aggregate([{"$graphLookup": {}}]))
    raise AssertionError("what is not done was answered")
except OperationFailure as error:
    assert error.code == 115
print(f"pymongo {pymongo.version}: types, bulk writes, cursors, transactions, change streams")
