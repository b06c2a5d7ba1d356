// Tests connect-mongo 6 with express-session's interface of a store: set, get, touch, length, all, destroy, clear, expiry.
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import MongoStore from 'connect-mongo'

const store = MongoStore.create({
  mongoUrl: process.argv[2],
  dbName: 'sessions',
  ttl: 60,
  touchAfter: 0,
  autoRemove: 'native'
})
const call = (name, ...args) => promisify(store[name].bind(store))(...args)
const cookie = (maxAge) => ({ originalMaxAge: maxAge, expires: new Date(Date.now() + maxAge), path: '/' })

await call('clear')
await call('set', 'a', { cookie: cookie(60_000), user: 'Asha', list: [1, { deep: true }] })
await call('set', 'b', { cookie: cookie(-1000), user: 'gone' })
assert.equal((await call('get', 'a')).user, 'Asha')
assert.deepEqual((await call('get', 'a')).list, [1, { deep: true }])
assert.ok(!(await call('get', 'b')), 'a session whose time is over is none')
await call('set', 'a', { cookie: cookie(60_000), user: 'Ram' })
assert.equal((await call('get', 'a')).user, 'Ram')
await call('touch', 'a', { cookie: cookie(120_000) })
assert.ok((await call('length')) >= 1)
assert.equal((await call('all')).filter(({ user }) => user === 'Ram').length, 1)
await call('destroy', 'a')
assert.ok(!(await call('get', 'a')))
await store.close()
console.log('the contract of express-session holds')
process.exit(0)
