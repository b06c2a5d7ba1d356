// typegoose 13 on mongoose 9: models of classes, references, hooks, validation, unique indexes, transactions, discriminators.
import assert from 'node:assert/strict'
import 'reflect-metadata'
import { getDiscriminatorModelForClass, getModelForClass, index, post, pre, prop } from '@typegoose/typegoose'
import mongoose from 'mongoose'

const decorate = (target, ...decorators) => decorators.reduceRight((made, decorator) => decorator(made) ?? made, target)
const field = (target, name, type, options = {}) => {
  Reflect.defineMetadata('design:type', type, target.prototype, name)
  prop(options)(target.prototype, name)
}

class Home {}
field(Home, 'name', String, { required: true })
class Person {
  greet() {
    return `I am ${this.name}`
  }
}
field(Person, 'name', String, { required: true, minlength: 2 })
field(Person, 'email', String, { unique: true, lowercase: true })
field(Person, 'age', Number, { default: 20, min: 0 })
field(Person, 'tags', Array, { type: () => [String] })
field(Person, 'home', Object, { ref: () => Home })
const hooks = []
decorate(
  Person,
  pre('save', function () {
    hooks.push(`before ${this.name}`)
  }),
  post('save', (saved) => void hooks.push(`after ${saved.name}`))
)
decorate(Home, index({ name: -1 }, { unique: true }))
class Guest extends Person {}
field(Guest, 'until', Date)

await mongoose.connect(process.argv[2], { dbName: 'typegoose' })
await mongoose.connection.dropDatabase()
const Homes = getModelForClass(Home)
const People = getModelForClass(Person)
const Guests = getDiscriminatorModelForClass(People, Guest)
await Promise.all([Homes.init(), People.init(), Guests.init()])
// Twice at the same time, like two processes of one application.
await Promise.all([Homes.syncIndexes(), Homes.ensureIndexes(), People.ensureIndexes()])
const home = await Homes.create({ name: 'Thamel' })
const asha = await People.create({ name: 'Asha', email: 'ASHA@example.com', home, tags: ['a'] })
assert.equal(asha.email, 'asha@example.com')
assert.equal(asha.greet(), 'I am Asha')
assert.deepEqual(hooks, ['before Asha', 'after Asha'])
await assert.rejects(People.create({ name: 'Other', email: 'asha@example.com' }), { code: 11000 })
await assert.rejects(People.create({ name: 'x' }), /minimum allowed length/)
await Guests.create({ name: 'Guest', email: 'g@example.com', until: new Date(0) })
assert.equal((await People.findOne({ email: 'asha@example.com' }).populate('home')).home.name, 'Thamel')
assert.equal(await Guests.countDocuments(), 1)
assert.equal(await People.countDocuments({ age: { $gte: 20 } }), 2)
await mongoose.connection.transaction(async (session) => {
  await People.updateOne({ name: 'Asha' }, { $push: { tags: { $each: ['b', 'c'] } } }, { session })
  await Homes.updateOne({}, { $set: { name: 'Patan' } }, { session })
})
assert.deepEqual([...(await People.findOne({ name: 'Asha' })).tags], ['a', 'b', 'c'])
const [sum] = await People.aggregate([{ $group: { _id: null, ages: { $sum: '$age' } } }])
assert.equal(sum.ages, 40)
await mongoose.disconnect()
console.log('models, hooks, references, discriminators, indexes and transactions')
