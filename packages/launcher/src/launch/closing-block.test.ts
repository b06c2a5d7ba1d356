import { describe, expect, it } from 'vitest'
import { closingBlock, jsonLine, type Summary } from './closing-block.ts'

const summary: Summary = {
  web: 'http://127.0.0.1:49998',
  broker: 'mqtts://127.0.0.1:8883',
  ca: '/batti/certs/ca.pem',
  outbox: 'http://127.0.0.1:49998/dev/outbox',
  wall: 'http://127.0.0.1:49980/',
  accounts: [{ role: 'user', email: 'sita@example.com', password: 'abcd-efgh-jkmn' }],
  pids: { api: 11, broker: 12, database: 13, boards: 14 },
  data: '/batti',
  publicBroker: null,
  house: { url: 'http://192.168.1.20:49998', qr: '██ ▄▄\n▀▀ ██\n', isPublic: false },
  api: null,
  notes: ['A note.']
}

describe('the final message of a start', () => {
  it('says where everything is and how to log in', () => {
    const block = closingBlock(summary)
    for (const text of [summary.web, summary.broker, '/batti/certs/ca.pem', '/dev/outbox', '49980', '192.168.1.20'])
      expect(block).toContain(text)
    expect(block).toMatch(/Log in \(user\)\s+sita@example\.com\s+abcd-efgh-jkmn/)
    expect(block).toContain('  ▀▀ ██')
    expect(block).toContain('A note.')
    expect(block).toContain('Ctrl-C stops everything.')
  })

  it('names the public addresses where settings give them', () => {
    const house = { url: 'https://home.example.com', qr: '██', isPublic: true }
    const block = closingBlock({ ...summary, house, publicBroker: 'mqtts://boards.example.com:8884' })
    expect(block).toMatch(/Public address\s+https:\/\/home\.example\.com/)
    expect(block).toMatch(/Broker\s+mqtts:\/\/boards\.example\.com:8884 /)
    expect(block).not.toContain('In your network')
    expect(block).not.toContain(summary.broker)
  })

  it('lists it in columns, with an empty line after each group', () => {
    const admin = { role: 'admin', email: 'ram@batti.example.com', password: 'wxyz-2345-6789' } as const
    const block = closingBlock({ ...summary, accounts: [...summary.accounts, admin], ca: null, wall: null })
    expect(block.split('\n').slice(2)).toEqual([
      '',
      '  Web app          http://127.0.0.1:49998',
      '  Api reference    http://127.0.0.1:49998/docs',
      '  In your network  http://192.168.1.20:49998',
      '  Outbox           http://127.0.0.1:49998/dev/outbox   (mails and text messages)',
      '  Broker           mqtts://127.0.0.1:8883',
      '  Data             /batti',
      '',
      '  Log in (user)    sita@example.com        abcd-efgh-jkmn',
      '  Log in (admin)   ram@batti.example.com   wxyz-2345-6789',
      '',
      '  ██ ▄▄',
      '  ▀▀ ██',
      '',
      '  A note.',
      '',
      '  Ctrl-C stops everything.',
      ''
    ])
    const withoutAccounts = closingBlock({ ...summary, accounts: [], house: null })
    expect(withoutAccounts).toMatch(/\/batti\n\n {2}A note\.\n/)
  })

  it('omits what does not exist', () => {
    const block = closingBlock({ ...summary, outbox: null, wall: null, accounts: [], house: null, ca: null, notes: [] })
    for (const text of ['Outbox', 'Boards', 'Log in', 'In your network', 'CA:', 'null', 'undefined'])
      expect(block).not.toContain(text)
  })

  it('is one line of JSON for programs', () => {
    const line = jsonLine(summary)
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual({
      web: summary.web,
      broker: summary.broker,
      ca: summary.ca,
      outbox: summary.outbox,
      accounts: summary.accounts,
      pids: summary.pids,
      wall: summary.wall,
      data: summary.data
    })
  })
})
