import { Parser } from '@asyncapi/parser'
import { describe, expect, it } from 'vitest'
import { clientEvents, downTopics, serverEvents, upTopics } from '../../src/index.ts'
import { asyncApiDocument } from './asyncapi.ts'

const text = JSON.stringify(asyncApiDocument())

describe('asyncapi.json', () => {
  it('is AsyncAPI 3.0 that the reference parser accepts without an error', async () => {
    const { document, diagnostics } = await new Parser().parse(text)
    expect(diagnostics.filter((one) => ['0'].includes(String(one.severity)))).toEqual([])
    // The only warning allowed: a newer version of AsyncAPI exists.
    expect(
      diagnostics.filter((one) => ['0', '1'].includes(String(one.severity)) && one.code !== 'asyncapi-latest-version')
    ).toEqual([])
    expect(document?.version()).toBe('3.0.0')
    const addresses =
      document
        ?.channels()
        .all()
        .map((channel) => channel.address()) ?? []
    expect(new Set(addresses)).toEqual(
      new Set([
        ...upTopics.map((name) => `d/{deviceId}/up/${name}`),
        ...downTopics.map((name) => `d/{deviceId}/down/${name}`),
        ...Object.keys(clientEvents),
        ...Object.keys(serverEvents)
      ])
    )
  })

  it('says with which acknowledgement each event of a client is answered', async () => {
    const { document } = await new Parser().parse(text)
    const received =
      document
        ?.operations()
        .all()
        .filter((operation) => operation.isReceive() && operation.id()?.startsWith('client') === true) ?? []
    expect(received).toHaveLength(Object.keys(clientEvents).length)
    for (const operation of received)
      expect([operation.id(), operation.reply()?.messages().length]).toEqual([operation.id(), 1])
  })

  it('is refused with a broken channel, so that the test above can fail', async () => {
    const broken = text.replace('#/channels/up-status', '#/channels/up-nowhere')
    const { diagnostics } = await new Parser().parse(broken)
    expect(diagnostics.filter((one) => ['0'].includes(String(one.severity)))).not.toEqual([])
  })

  it('is the same each time it is generated', () => {
    expect(JSON.stringify(asyncApiDocument())).toBe(text)
  })
})
