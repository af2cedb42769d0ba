package io.sluice.server.console;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window, finding elements by their {@code data-testid}. */
final class Browser implements AutoCloseable {
    static final String CHROMIUM = "/usr/bin/chromium";
    static final String DRIVER = "/usr/bin/chromedriver";

    private final Path profile;
    private final ChromeDriver driver;

    private Browser(Path profile, ChromeDriver driver) {
        this.profile = profile;
        this.driver = driver;
    }

    static Browser start(Path profile) {
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER))
                .usingAnyFreePort()
                .build();
        return new Browser(profile, new ChromeDriver(service, options(profile)));
    }

    private static ChromeOptions options(Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--lang=en-US",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.INFO);
        options.setCapability("goog:loggingPrefs", logs);
        return options;
    }

    /** Opens the address in a tab of its own, where nobody is signed in, and closes the one before. */
    void open(String address) {
        String before = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        String opened = driver.getWindowHandle();
        driver.switchTo().window(before).close();
        driver.switchTo().window(opened).manage().window().setSize(new Dimension(1280, 1600));
        console();
        driver.get(address);
    }

    /** Makes the window so wide, with room for a whole page below. */
    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    String address() {
        return driver.getCurrentUrl();
    }

    /** Waits until the page is so. It draws itself anew once a second, so an element may be gone before it is read. */
    static ConditionFactory eventually() {
        return await().pollInterval(Duration.ofMillis(100)).ignoreExceptionsInstanceOf(WebDriverException.class);
    }

    void click(String testId) {
        eventually().until(() -> {
            find(testId).click();
            return true;
        });
    }

    void type(String testId, String keys) {
        find(testId).sendKeys(keys);
    }

    void choose(String testId, String option) {
        eventually().until(() -> {
            driver.findElement(By.cssSelector(css(testId) + " option[value='" + option + "']"))
                    .click();
            return true;
        });
    }

    boolean shows(String testId) {
        return all(css(testId)).stream().anyMatch(WebElement::isDisplayed);
    }

    String text(String testId) {
        return find(testId).getText();
    }

    String attribute(String testId, String name) {
        return find(testId).getDomAttribute(name);
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    List<String> texts(String selector) {
        return all(selector).stream().map(WebElement::getText).toList();
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    /** What the page wrote to the browser's console, and the browser about the page, since the last question. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    private WebElement find(String testId) {
        return driver.findElement(By.cssSelector(css(testId)));
    }

    static String css(String testId) {
        return "[data-testid=" + testId + "]";
    }

    /** Ends the browser and waits for the last of its processes, which may still write to the profile. */
    @Override
    public void close() {
        driver.quit();
        eventually()
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(it -> it.info().commandLine().orElse("").contains(profile.toString())));
    }
}
