import { monitorPermissions, type Weekday } from '@batti/contracts/constants'
import type { BoardTypeCode } from '@batti/contracts/board-types'

/** The people and boards of the demo home. Names identify them: what exists under its name is not created again. */
export const demoPeople = {
  user: { name: 'Sita Sharma', email: 'sita@example.com', phone: '9812345678', address: 'Jhamsikhel, Lalitpur' },
  admin: { name: 'Administrator', email: 'admin@example.com' },
  monitor: {
    name: 'Hari Adhikari',
    email: 'monitor@example.com',
    phone: '+9779812345679',
    permissions: monitorPermissions
  }
} as const

export const demoRooms = ['Living room', 'Bedroom', 'Kitchen'] as const

export interface DemoSwitch {
  name: string
  favourite?: boolean
  /** Switched on by the setup, so that the home looks lived in. */
  on?: boolean
  speed?: number
}

export interface DemoBoard {
  model: BoardTypeCode
  name: string
  room: (typeof demoRooms)[number]
  activeColor: string
  switches: readonly DemoSwitch[]
}

export const demoBoards: readonly DemoBoard[] = [
  {
    model: 'BT4',
    name: 'Living room wall',
    room: 'Living room',
    activeColor: 'Aqua Blue',
    switches: [
      { name: 'Ceiling lamp', favourite: true, on: true },
      { name: 'Reading lamp', favourite: true },
      { name: 'Balcony light' },
      { name: 'Picture light', on: true }
    ]
  },
  {
    model: 'BTF',
    name: 'Bedroom wall',
    room: 'Bedroom',
    activeColor: 'violet',
    switches: [
      { name: 'Bedside lamp', favourite: true },
      { name: 'Wardrobe light' },
      { name: 'Ceiling fan', favourite: true, on: true, speed: 140 },
      { name: 'Phone charger' }
    ]
  },
  {
    model: 'BTS',
    name: 'Kitchen counter strip',
    room: 'Kitchen',
    activeColor: 'green',
    switches: [{ name: 'Kettle' }, { name: 'Rice cooker' }, { name: 'Water purifier', on: true }, { name: 'Radio' }]
  },
  {
    model: 'BT1',
    name: 'Kitchen ceiling',
    room: 'Kitchen',
    activeColor: 'yellow',
    switches: [{ name: 'Kitchen lamp', favourite: true }]
  }
]

/** A schedule that switches on at its start and off at its end. */
export interface DemoSchedule {
  label: string
  board: string
  switch: string
  startTime: string
  endTime: string
  repeatType: 'daily' | 'weekly'
  days?: Weekday[]
}

export const demoSchedules: readonly DemoSchedule[] = [
  {
    label: 'Evening on the balcony',
    board: 'Living room wall',
    switch: 'Balcony light',
    startTime: '18:15',
    endTime: '22:30',
    repeatType: 'daily'
  },
  {
    label: 'Morning tea',
    board: 'Kitchen counter strip',
    switch: 'Kettle',
    startTime: '06:00',
    endTime: '06:20',
    repeatType: 'weekly',
    days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri']
  },
  {
    label: 'Fan off before dawn',
    board: 'Bedroom wall',
    switch: 'Ceiling fan',
    startTime: '22:00',
    endTime: '04:30',
    repeatType: 'daily'
  }
]
