-- The limit of `minute_limit.py` for all processes, by Redis' clock.
-- KEYS[1]: its state, KEYS[2]: the times of the last calls. ARGV: requests a minute, kept for people,
-- first hold, longest hold, then "ask", urgent (1 or 0), or "refused", age, retry_after, or
-- "accepted", age, or "described", limit, remaining (-1: not said).
-- Answers: seconds to wait, seconds closed, refusals in a row without a time, requests.
local MINUTE = 60
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local requests, kept = tonumber(ARGV[1]), tonumber(ARGV[2])
local first_hold, longest_hold = tonumber(ARGV[3]), tonumber(ARGV[4])
local command, given, second = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])

local stored = redis.call('HMGET', KEYS[1], 'opens', 'cut', 'unnamed', 'requests', 'number')
local opens, cut = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local unnamed, number = tonumber(stored[3] or 0), tonumber(stored[5] or 0)
requests = tonumber(stored[4] or requests)

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('(%.6f', now - MINUTE))
local used = redis.call('ZCARD', KEYS[2])
local function add(count)
  for _ = 1, count do
    number = number + 1
    redis.call('ZADD', KEYS[2], string.format('%.6f', now), number)
  end
  used = used + count
end

local wait = 0
if command == 'ask' then
  local most = requests
  if given == 0 then most = math.max(requests - kept, 1) end
  wait = opens - now
  if used >= most then
    local first = redis.call('ZRANGE', KEYS[2], used - most, used - most, 'WITHSCORES')
    wait = math.max(wait, tonumber(first[2]) + MINUTE - now)
  end
  if wait <= 0 then
    wait = 0
    add(1)
  end
elseif command == 'refused' then
  opens = math.max(opens, now + second)
  if now - given > cut then
    cut = now
    unnamed = second > 0 and 0 or unnamed + 1
    if unnamed > 0 then
      opens = math.max(opens, now + math.min(first_hold * 2 ^ (unnamed - 1), longest_hold))
    end
  end
elseif command == 'accepted' then
  if now - given > cut then unnamed = 0 end
else
  requests = given
  if second >= 0 then add(math.max(math.min(requests - second - used, requests), 0)) end
end

local closed = math.max(opens - now, 0)
redis.call('HSET', KEYS[1], 'opens', string.format('%.6f', opens), 'cut', string.format('%.6f', cut),
           'unnamed', unnamed, 'requests', requests, 'number', number)
redis.call('EXPIRE', KEYS[1], math.ceil(3600 + closed))
redis.call('EXPIRE', KEYS[2], MINUTE + 1)
return {string.format('%.6f', wait), string.format('%.6f', closed), string.format('%d', unnamed),
        string.format('%d', requests)}
