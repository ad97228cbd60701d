import { createHash } from 'node:crypto';

/** A program that Redis runs as one step; KEYS[1] is the root, and every other key is named after it. */
export interface RedisScript {
  lua: string;
  sha: string;
}

/**
 * What lies in Redis:
 *
 * - the root, a hash: `watermark`, a number and the life of the database server that gave it out; `began`, the number of the last filling that began; and one field a board, `f <began>
 *   <until, ms>` while one node fills it, `r <began> <last asked, ms>` when it can be read. A root that is gone (restart,
 *   eviction) takes every board with it.
 * - `<root>:order:<board>`, a sorted set: score −points, and as member 6 bytes of time and 16 of user, so that ties come in
 *   the order of the boards. One more member, '' with the score +inf, stands at the end: a set that is gone differs from
 *   one where nobody has points.
 * - `<root>:scores:<board>`, a hash from a user's 16 bytes to 4 of version and 6 of time, or the version alone for who has
 *   no points; the field '' says that it is there.
 */
const COMMON = `
local root = KEYS[1]
local function orderOf(board) return root .. ':order:' .. board end
local function scoresOf(board) return root .. ':scores:' .. board end
local function isThere(board) return redis.call('EXISTS', orderOf(board), scoresOf(board)) == 2 end
local function nowMs()
  local clock = redis.call('TIME')
  return clock[1] * 1000 + math.floor(clock[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end
local function drop(board)
  redis.call('HDEL', root, board)
  redis.call('UNLINK', orderOf(board), scoresOf(board))
end
local function boardsOf(fields)
  local boards = {}
  for i = 1, #fields, 2 do
    local state, began, ms = fields[i + 1]:match('^([fr]) (%d+) (%d+)$')
    if state then boards[#boards + 1] = { name = fields[i], state = state, ms = tonumber(ms) } end
  end
  return boards
end
`;

/** `packed` holds 30 bytes a score: 16 of user, 4 of version, 4 of points, 6 of time; no user twice. */
const TAKE = `
local function take(board, packed)
  local order, scores = orderOf(board), scoresOf(board)
  for first = 1, #packed, 15000 do
    local users, gone, placed, known = {}, {}, {}, {}
    for at = first, math.min(#packed, first + 14999), 30 do users[#users + 1] = packed:sub(at, at + 15) end
    local values = redis.call('HMGET', scores, unpack(users))
    for i, user in ipairs(users) do
      local at, old = first + (i - 1) * 30, values[i]
      local version, points = struct.unpack('>I4I4', packed, at + 16)
      if not old or struct.unpack('>I4', old) < version then
        local time = points > 0 and packed:sub(at + 24, at + 29) or ''
        known[#known + 1] = user
        known[#known + 1] = packed:sub(at + 16, at + 19) .. time
        if old and #old > 4 and old:sub(5) ~= time then gone[#gone + 1] = old:sub(5) .. user end
        if points > 0 then
          placed[#placed + 1] = -points
          placed[#placed + 1] = time .. user
        end
      end
    end
    if #gone > 0 then redis.call('ZREM', order, unpack(gone)) end
    if #placed > 0 then redis.call('ZADD', order, unpack(placed)) end
    if #known > 0 then redis.call('HSET', scores, unpack(known)) end
  end
end
`;

/** ARGV: board, ms for which everything is kept from now on, or 0 to leave that alone. Opens it as `total` and `order`. */
const OPEN = `
local root, board = KEYS[1], ARGV[1]
local state = redis.call('HGET', root, board)
if not state or state:byte() ~= 114 then return false end
local order, scores = root .. ':order:' .. board, root .. ':scores:' .. board
local total = redis.call('ZCARD', order) - 1
if total < 0 then return false end
if ARGV[2] ~= '0' then
  local clock = redis.call('TIME')
  local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
  redis.call('HSET', root, board, (state:gsub('%d+$', now)))
  for _, key in ipairs({ root, order, scores }) do redis.call('PEXPIRE', key, ARGV[2]) end
end
local function rows(first, last)
  if last > total - 1 then last = total - 1 end
  if first > last then return {} end
  return redis.call('ZRANGE', order, first, last, 'WITHSCORES')
end
local function withMore(score) return redis.call('ZCOUNT', order, '-inf', '(' .. score) end
`;

/** ARGV[3], ARGV[4]: skip, limit. Gives total, how many have more than the first row, and the rows. */
export const READ_PAGE = toScript(`${OPEN}
local found = rows(tonumber(ARGV[3]), ARGV[3] + ARGV[4] - 1)
return { total, found[2] and withMore(found[2]) or 0, found }
`);

/**
 * ARGV[3], ARGV[4]: user, reach. Gives total, how many have more than the first row, the rows, the position of the first
 * one and of the user (−1: not on the board), and the score next above the user's, or ''.
 */
export const READ_AROUND = toScript(`${OPEN}
local value = redis.call('HGET', scores, ARGV[3])
if not value or #value == 4 then return { total, 0, {}, 0, -1, '' } end
local place = redis.call('ZRANK', order, value:sub(5) .. ARGV[3])
if not place then
  redis.call('HDEL', root, board)
  return false
end
local first = math.max(0, place - ARGV[4])
local found = rows(first, place + ARGV[4])
local mine, next = found[2 * (place - first) + 2], ''
for i = 2 * (place - first), 2, -2 do
  if next == '' and found[i] ~= mine then next = found[i] end
end
local above = first > 0 and withMore(found[2]) or 0
if next == '' and above > 0 then next = rows(above - 1, above - 1)[2] end
return { total, above, found, first, place, next }
`);

/** ARGV[3]: −points. Gives how many have more. */
export const COUNT_ABOVE = toScript(`${OPEN}
return withMore(ARGV[3])
`);

/**
 * ARGV: board, ms that the filling node has until it shows itself again, ms for which everything is kept, and whether the
 * node knows of a watermark. Gives the number of this filling, 'ready', 'wait', or 'lost' where that watermark is gone.
 */
export const BEGIN_FILL = toScript(`${COMMON}
local board = ARGV[1]
local state, _, ms = (redis.call('HGET', root, board) or ''):match('^([fr]) (%d+) (%d+)$')
local now = nowMs()
if ARGV[4] == '1' and redis.call('HEXISTS', root, 'watermark') == 0 then return 'lost' end
if state == 'r' and isThere(board) then return 'ready' end
if state == 'f' and tonumber(ms) > now then return 'wait' end
drop(board)
local began = redis.call('HGET', root, 'began')
began = text(began and began + 1 or now * 1000)
redis.call('HSET', root, 'began', began, board, 'f ' .. began .. ' ' .. text(now + ARGV[2]))
redis.call('ZADD', orderOf(board), 'inf', '')
redis.call('HSET', scoresOf(board), '', '')
for _, key in ipairs({ root, orderOf(board), scoresOf(board) }) do redis.call('PEXPIRE', key, ARGV[3]) end
return began
`);

/** Of this filling, and not of one that took over from it. */
const OWN = `
local board, began = ARGV[1], ARGV[2]
local state, of = (redis.call('HGET', root, board) or ''):match('^([fr]) (%d+) ')
if state ~= 'f' or of ~= began then return 0 end
`;

/** ARGV: board, number of the filling, ms until it must show itself again, scores. 0: it is not ours any more. */
export const FILL_PART = toScript(`${COMMON}${TAKE}${OWN}
if not isThere(board) then
  drop(board)
  return 0
end
take(board, ARGV[4])
redis.call('HSET', root, board, 'f ' .. began .. ' ' .. text(nowMs() + ARGV[3]))
return 1
`);

/**
 * ARGV: board, number of the filling, then what all boards may come to: boards, users, ms since they were asked for. The
 * board can be read, and those that were not asked for the longest give way.
 */
export const END_FILL = toScript(`${COMMON}${OWN}
if not isThere(board) then
  drop(board)
  return 0
end
local now = nowMs()
redis.call('HSET', root, board, 'r ' .. began .. ' ' .. text(now))
local boards = boardsOf(redis.call('HGETALL', root))
table.sort(boards, function(a, b) return a.ms > b.ms end)
local count, users = 1, redis.call('ZCARD', orderOf(board)) - 1
for _, other in ipairs(boards) do
  if other.name ~= board and (other.state == 'r' or other.ms < now) then
    count, users = count + 1, users + redis.call('ZCARD', orderOf(other.name)) - 1
    if count > tonumber(ARGV[3]) or users > tonumber(ARGV[4]) or now - other.ms > tonumber(ARGV[5]) then
      drop(other.name)
    end
  end
end
return 1
`);

/** ARGV: board, number of the filling. */
export const GIVE_UP_FILL = toScript(`${COMMON}${OWN}
drop(board)
return 1
`);

/**
 * ARGV: the number of the last filling when the log was read, or '', then board and scores in turns. 1: a board began to
 * be filled since, and took nothing.
 */
export const APPLY = toScript(`${COMMON}${TAKE}
local read_at, outdated = tonumber(ARGV[1]), 0
for i = 2, #ARGV, 2 do
  local board = ARGV[i]
  local began = (redis.call('HGET', root, board) or ''):match('^[fr] (%d+) ')
  if began and not isThere(board) then drop(board)
  elseif began and read_at and tonumber(began) > read_at then outdated = 1
  elseif began then take(board, ARGV[i + 1]) end
end
return outdated
`);

/** ARGV: user. The highest version stays, so that nothing brings them back. */
export const REMOVE = toScript(`${COMMON}
for _, board in ipairs(boardsOf(redis.call('HGETALL', root))) do
  if isThere(board.name) then
    local value = redis.call('HGET', scoresOf(board.name), ARGV[1])
    if value and #value > 4 then redis.call('ZREM', orderOf(board.name), value:sub(5) .. ARGV[1]) end
    redis.call('HSET', scoresOf(board.name), ARGV[1], '\\255\\255\\255\\255')
  end
end
return 1
`);

/** Gives the watermark, or '', and the number of the last filling. */
export const READ_WATERMARK = toScript(`${COMMON}
local found = redis.call('HMGET', root, 'watermark', 'began')
return { found[1] or '', found[2] or '0' }
`);

/**
 * ARGV: the watermark that was read, or '', the next one, ms for which everything is kept. 0: what is there does not follow
 * from the one that was read, or is of another life of the database server. The first one takes what has none: nobody can tell what those boards lack.
 */
export const WRITE_WATERMARK = toScript(`${COMMON}
local since, next = ARGV[1], ARGV[2]
local function parse(watermark) return watermark:match('^(%d+)(.*)$') end
local function isBelow(a, b)
  local x, y = parse(a), parse(b)
  return #x < #y or (#x == #y and x < y)
end
local function isOfOneLife(a, b)
  local _, one = parse(a)
  local _, other = parse(b)
  return one == other
end
local is = redis.call('HGET', root, 'watermark')
if (since ~= '') ~= (is and true or false) then return 0 end
if is and not (isOfOneLife(is, since) and isOfOneLife(is, next)) then return 0 end
if is and isBelow(is, since) then return 0 end
if not is then
  for _, board in ipairs(boardsOf(redis.call('HGETALL', root))) do drop(board.name) end
end
if not is or isBelow(is, next) then redis.call('HSET', root, 'watermark', next) end
redis.call('PEXPIRE', root, ARGV[3])
return 1
`);

/** The numbers of fillings go on, for there may be scores under way that were read before. */
export const CLEAR = toScript(`${COMMON}
for _, board in ipairs(boardsOf(redis.call('HGETALL', root))) do drop(board.name) end
redis.call('HDEL', root, 'watermark')
return 1
`);

function toScript(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
