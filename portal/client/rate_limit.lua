-- The rate limit of `rate_limit.py` for all processes, by Redis' clock.
-- KEYS[1]: the connection's state. ARGV: the nine constants of `rate_limit.py` as they are named below,
-- ceiling (0: none), then "ask", urgent (1 or 0), or "refused", age, retry_after, or "accepted", age,
-- or "described", the ceiling that the service has named, which takes the place of the other.
-- Answers: seconds to wait, rate (0: unlimited), seconds closed, refusals in a row without a time.
local constants = {}
for i = 1, 9 do constants[i] = tonumber(ARGV[i]) end
local KEPT, LEAST_KEPT, RISE, LEAST_RISE, LOWEST, FIRST_GUESS, SLACK, FIRST_HOLD, LONGEST_HOLD =
  unpack(constants)
local command, given = ARGV[11], {ARGV[12], ARGV[13]}
local GRACE = 0.25
local KEPT_FOR = 3600

local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local ceiling = tonumber(ARGV[10])
if ceiling == 0 then ceiling = math.huge end

local names = {'rate', 'opens', 'next', 'seen', 'cut', 'measured', 'floor', 'urgent',
               'unnamed', 'ceiling'}
local stored = redis.call('HMGET', KEYS[1], unpack(names))
local s = {rate = 0, opens = 0, next = 0, seen = now - 1, cut = 0, measured = 0, floor = 0,
           urgent = 0, unnamed = 0, ceiling = 0}
for i, name in ipairs(names) do s[name] = tonumber(stored[i] or s[name]) end
if s.rate == 0 then s.rate = math.huge end
if s.ceiling > 0 then ceiling = s.ceiling end
s.rate = math.min(s.rate, ceiling)

local function decay()
  if now > s.seen then
    s.measured = s.measured * math.exp(s.seen - now)
    s.seen = now
  end
end

local wait = 0
if command == 'ask' then
  local urgent = given[1] == '1'
  wait = math.max(s.opens, s.next) - now
  if not urgent then wait = math.max(wait, s.urgent - now) end
  if wait > 0 then
    -- Work in other processes stands back for as long as this one is about to come again.
    if urgent then s.urgent = now + math.min(wait, 1) + GRACE end
  else
    wait = 0
    if s.rate < math.huge and now - s.next <= SLACK + 1 / s.rate then
      local passed = math.max(0, math.min(now - s.seen, 1))
      s.rate = math.min(s.rate + math.max(s.rate * RISE, LEAST_RISE) * passed, ceiling)
    end
    s.next = math.max(s.next, now - SLACK) + 1 / s.rate
    decay()
    s.measured = s.measured + 1
    if urgent then s.urgent = 0 end
  end
elseif command == 'accepted' then
  if now - tonumber(given[1]) > s.cut then s.unnamed = 0 end
elseif command == 'described' then
  s.ceiling = tonumber(given[1])
  if s.rate >= ceiling then s.rate = s.ceiling end
  s.rate = math.min(s.rate, s.ceiling)
else
  local named = tonumber(given[2])
  s.opens = math.max(s.opens, now + named)
  if now - tonumber(given[1]) > s.cut then
    decay()
    s.floor = FIRST_GUESS
    if s.rate < math.huge then s.floor = math.max(LEAST_KEPT * s.rate, math.min(LOWEST, s.rate)) end
    s.rate = KEPT * math.min(s.rate, s.measured)
    s.cut = now
    s.unnamed = named > 0 and 0 or s.unnamed + 1
    if s.unnamed > 1 then
      s.opens = math.max(s.opens, now + math.min(FIRST_HOLD * 2 ^ (s.unnamed - 2), LONGEST_HOLD))
    end
  end
  s.measured = math.max(s.measured - 1, 0)
  s.rate = math.max(s.rate - KEPT, s.floor)
  s.seen = math.max(s.seen, s.opens)
end

if s.rate == math.huge then s.rate = 0 end
local written = {}
for _, name in ipairs(names) do
  written[#written + 1] = name
  written[#written + 1] = string.format('%.6f', s[name])
end
local closed = math.max(s.opens - now, 0)
redis.call('HSET', KEYS[1], unpack(written))
redis.call('EXPIRE', KEYS[1], math.ceil(KEPT_FOR + closed))
return {string.format('%.6f', wait), string.format('%.6f', s.rate), string.format('%.6f', closed),
        string.format('%d', s.unnamed)}
