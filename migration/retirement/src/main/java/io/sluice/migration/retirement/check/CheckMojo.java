package io.sluice.migration.retirement.check;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Fails the build while something that carries {@code @Retire} is still there after its last day (UTC), and warns before. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends AbstractMojo {
    private final InstantSource clock;

    /** Classes of the module. */
    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
    private @Nullable File outputDirectory;

    /** Classes of its tests: those of the old branch have to go as well. */
    @Parameter(defaultValue = "${project.build.testOutputDirectory}", readonly = true)
    private @Nullable File testOutputDirectory;

    /** Directories and jars to look into besides. Each must be there. */
    @Parameter
    private @Nullable List<File> alsoIn;

    /** For how many days before the last one a mark is warned of. */
    @Parameter(property = "sluice.retire.warnDays", defaultValue = "30")
    private int warnDays = 30;

    /** Passes without a look, and says so. */
    @Parameter(property = "sluice.retire.skip", defaultValue = "false")
    private boolean skip;

    /** As Maven makes it: today is today. */
    public CheckMojo() {
        this(Clock.systemUTC(), null);
    }

    CheckMojo(InstantSource clock, @Nullable File outputDirectory) {
        this.clock = clock;
        this.outputDirectory = outputDirectory;
    }

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().warn("sluice.retire.skip is set: what had to be deleted may still be there");
            return;
        }
        if (warnDays < 0) {
            throw new MojoFailureException("warnDays was " + warnDays + ", but must be 0 or more");
        }
        Marks marks;
        try {
            marks = MarkReader.read(places());
        } catch (IOException unread) {
            throw new MojoExecutionException(String.valueOf(unread.getMessage()), unread);
        }
        RetirementCheck check =
                RetirementCheck.on(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC), warnDays, marks);
        check.warnings().forEach(getLog()::warn);
        if (!check.passes()) {
            throw new MojoFailureException("A migration is over, and this is still there:\n  "
                    + String.join("\n  ", check.problems())
                    + "\nDelete it, or set a later day in @Retire if the migration is not over.");
        }
        getLog().info(marks.classFiles() + " class files, " + marks.all().size() + " marks, none after its day");
    }

    /** A module without classes, or without tests, has no such directory. */
    private List<Path> places() {
        List<Path> places = new ArrayList<>();
        for (File own : new @Nullable File[] {outputDirectory, testOutputDirectory}) {
            if (own != null && Files.isDirectory(own.toPath())) {
                places.add(own.toPath());
            }
        }
        if (alsoIn != null) {
            alsoIn.forEach(file -> places.add(file.toPath()));
        }
        return places;
    }
}
