import {
  listActionLogs,
  listAuditLogs,
  listDevices,
  listDeviceTypes,
  listFirmwareFiles,
  listMonitors,
  listRollouts,
  listRolloutTargets,
  listRooms,
  listSchedules,
  listSwitches,
  listUnauthorizedLogs,
  listUsers
} from '@batti/contracts'
import { expect, test } from 'vitest'
import { auditColumns } from '#web/features/audit-logs/audit-list.tsx'
import { typeColumns } from '#web/features/device-types/type-list.tsx'
import { fileColumns } from '#web/features/firmware-files/file-list.tsx'
import { monitorColumns } from '#web/features/monitors/monitor-list.tsx'
import { rolloutColumns } from '#web/features/rollouts/rollout-list.tsx'
import { targetColumns } from '#web/features/rollouts/target-columns.tsx'
import { deviceColumns } from '#web/features/staff-devices/device-list.tsx'
import { logColumns } from '#web/features/staff-logs/log-list.tsx'
import { roomColumns } from '#web/features/staff-rooms/room-list.tsx'
import { scheduleColumns } from '#web/features/staff-schedules/schedule-list.tsx'
import { favoriteColumns, switchColumns } from '#web/features/staff-switches/switch-list.tsx'
import { refusalColumns } from '#web/features/unauthorized-logs/refusal-list.tsx'
import { userColumns } from '#web/features/users/user-columns.tsx'
import { gridWidth, shownColumns, windowsFor, type Column } from '#web/ui/data-table/columns.ts'

const logs = logColumns(({ description }) => description)
const audit = auditColumns(String, String)
const files = fileColumns({ versions: [], devicesPath: '/admin/devices' })

// People look for a column where it was before, so the order of each list is tested.
test.each([
  ['users', userColumns, '_id name email phone role deviceCount scheduleCount roomCount createdAt'],
  [
    'devices, after the name of the board',
    deviceColumns.slice(1),
    'owner phone email deviceMac deviceCode wifiSSID wifiRSSI room isOnline lastSeen createdAt osVersion health'
  ],
  ['rooms', roomColumns, 'roomName deviceCount onlineCount createdAt'],
  ['switches', switchColumns, 'switchName deviceName switchIndex status isFavorite createdAt'],
  ['favorite switches', favoriteColumns, 'switchName deviceId roomId switchIndex type status'],
  ['schedules', scheduleColumns, 'label device switch switchIndex startTime endTime repeatType isActive'],
  ['monitors', monitorColumns, 'name phone email permissions'],
  ['refusals', refusalColumns, 'ip method url userAgent attempts users timestamp'],
  ['logs', logs, 'userName userPhone description from createdAt'],
  ['firmware files', files.slice(0, 3), 'version filename url']
] as const)('columns of %s are in their order', (_name, columns, order) => {
  expect(columns.map(({ id }) => id).join(' ')).toBe(order)
})

test.each([
  ['users', listUsers, userColumns],
  ['devices', listDevices, deviceColumns],
  ['rooms', listRooms, roomColumns],
  ['switches', listSwitches, switchColumns],
  ['favorite switches', listSwitches, favoriteColumns],
  ['schedules', listSchedules, scheduleColumns],
  ['monitors', listMonitors, monitorColumns],
  ['device types', listDeviceTypes, typeColumns],
  ['refusals', listUnauthorizedLogs, refusalColumns],
  ['logs', listActionLogs, logs],
  ['audit logs', listAuditLogs, audit],
  ['firmware files', listFirmwareFiles, files],
  ['rollouts', listRollouts, rolloutColumns],
  ['boards of a rollout', listRolloutTargets, targetColumns('/admin/devices')]
] as const)('%s are sorted by each column that the list shows', (_name, { query }, columns) => {
  const unsorted = columns.filter(({ sort, id }) => query?.safeParse({ sort: sort ?? id }).success !== true)
  expect(unsorted.map(({ id }) => id)).toEqual([])
})

const widthAtFirst = <Row>(columns: readonly Column<Row>[], { canSelect = false } = {}): number =>
  gridWidth(shownColumns(columns, null, { all: false, usual: false }), { canSelect, hasMenu: true })

test.each([
  ['users', widthAtFirst(userColumns)],
  ['devices', widthAtFirst(deviceColumns, { canSelect: true })],
  ['rooms', widthAtFirst(roomColumns)],
  ['switches', widthAtFirst(switchColumns, { canSelect: true })],
  ['favorite switches', widthAtFirst(favoriteColumns, { canSelect: true })],
  ['schedules', widthAtFirst(scheduleColumns)],
  ['monitors', widthAtFirst(monitorColumns)],
  ['device types', widthAtFirst(typeColumns)],
  ['refusals', widthAtFirst(refusalColumns)],
  ['logs', widthAtFirst(logs)],
  ['audit logs', widthAtFirst(audit)],
  ['firmware files', widthAtFirst(files)],
  ['rollouts', widthAtFirst(rolloutColumns)]
] as const)('%s fit beside the side bar of a window 1280 px wide, with a scroll bar', (_name, width) => {
  expect(width).toBeLessThanOrEqual(1280 - 238 - 15)
})

const controls = { canSelect: false, hasMenu: true }

test.each([
  ['users', windowsFor(userColumns, controls)],
  ['device types', windowsFor(typeColumns, controls)],
  ['firmware files', windowsFor(files, controls)],
  ['rollouts', windowsFor(rolloutColumns, controls)]
])('a window 1440 px wide shows all columns of %s but the extra ones', (_name, { usual }) => {
  expect(Number(/[\d.]+/.exec(usual)?.[0]) * 16).toBeLessThanOrEqual(1440)
})

test('extra columns are hidden below 1680 px where not all fit', () => {
  expect(windowsFor(deviceColumns, { canSelect: true, hasMenu: true }).all).toBe('(width >= 105rem)')
})

test('columns of an address that this list does not have are ignored, and the usual ones are shown if it names no other', () => {
  const idsOf = (chosen: readonly string[] | null) =>
    shownColumns(userColumns, chosen, { all: false, usual: true }).map(({ id }) => id)
  expect(idsOf(['phone', 'nope'])).toEqual(['_id', 'phone'])
  expect(idsOf(['nope'])).toEqual(idsOf(null))
  expect(idsOf(['_id'])).toEqual(['_id'])
})
