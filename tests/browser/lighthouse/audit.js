/* Asks Lighthouse about pages in a running browser, one after the other, as a desktop sees them.

   node audit.js '{"port": 9222, "urls": [...]}' prints a line of JSON for each: its scores of 100,
   and what takes away from them. */
import lighthouse from "lighthouse";
import desktop from "lighthouse/core/config/desktop-config.js";

const { port, urls } = JSON.parse(process.argv[2]);
const onlyCategories = ["accessibility", "best-practices"];
const onlyAudits = ["cumulative-layout-shift"];

for (const url of urls) {
  const { lhr } = await lighthouse(
    url,
    {
      port,
      onlyCategories,
      onlyAudits,
      disableStorageReset: true, // it would sign out
      disableFullPageScreenshot: true,
      maxWaitForLoad: 8000,
      logLevel: "silent",
    },
    desktop,
  );
  const scores = {};
  for (const name of onlyCategories) scores[name] = lhr.categories[name].score * 100;
  for (const name of onlyAudits) scores[name] = lhr.audits[name].score * 100;
  const problems = Object.values(lhr.audits)
    .filter(({ score }) => score !== null && score < 1)
    .map(({ title, score, displayValue = "" }) => `${title}: ${score} ${displayValue}`.trim());
  console.log(JSON.stringify({ url, seen: lhr.finalDisplayedUrl, scores, problems }));
}
